import { expect, it } from 'vitest'
import { nextTape } from '../../src/features/home/hero/use-sliding-tape.ts'
import type { TapeEntry } from '../../src/lib/api/api.ts'

/** Creates entries with these ids, newest first. */
const entries = (...ids: number[]) => ids.map((id) => ({ id }) as TapeEntry)
const ids = (list: readonly TapeEntry[]) => list.map(({ id }) => id)

it('an empty ticker is filled at once, without sliding', () => {
  const { entries: shown, added } = nextTape([], entries(3, 2, 1))
  expect([ids(shown), added]).toEqual([[3, 2, 1], 0])
})

it('adds at most two new trades per step, the newest, in order', () => {
  const { entries: shown, added } = nextTape(entries(2, 1), entries(90, 80, 70, 60, 2, 1))
  expect([ids(shown), added]).toEqual([[90, 80, 2, 1], 2])
})

it('keeps its entries while nothing is new, and never more than twenty', () => {
  expect(nextTape(entries(5, 4), entries(5, 4, 3))).toEqual({ entries: entries(5, 4), added: 0 })
  const full = entries(...Array.from({ length: 20 }, (_, index) => 20 - index))
  expect(ids(nextTape(full, entries(21, 20)).entries)).toEqual([21, ...ids(full).slice(0, 19)])
})
