import { expect, it } from 'vitest'
import { judge } from './faults/hostile/hostile.ts'
import type { HostileSeen } from './faults/hostile/suffer-attacks.ts'

/** The attacks themselves: hostile.chaos.ts. */
const unharmed: HostileSeen = {
  peaceP99Ms: 20,
  attackP99Ms: 60,
  grownMb: 100,
  orders: 1,
  perSecond: 196,
  strikes: { 'wrong login': { 401: 3, 503: 1, none: 2 } },
}

it('keeps every promise at its limit', () => {
  expect(judge(unharmed, 200).every(({ isKept }) => isKept)).toBe(true)
})

it.each([
  ['p99 of the players 61 ms, in peace 20 ms: 3.05 times', { attackP99Ms: 61 }],
  ['p99 of the players NaN ms', { attackP99Ms: Number.NaN }],
  ['memory 101 MB more', { grownMb: 101 }],
  ['answers 500: long path', { strikes: { 'long path': { 400: 9, 500: 1 } } }],
  ['195 strikes a second', { perSecond: 195 }],
])('says what was missed: %s', (line, harm) => {
  const missed = judge({ ...unharmed, ...harm }, 200).filter(({ isKept }) => !isKept)
  expect(missed).toEqual([{ line: expect.stringContaining(line), isKept: false }])
})
