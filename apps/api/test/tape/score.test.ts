import { Decimal } from '@papermoon/amm'
import { TAPE_MS } from '@papermoon/contract/tape'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countStreak } from '../../src/features/tape/keep-tapes.ts'
import { computeGain, drawStrip, findBest, type TapePoint } from '../../src/features/tape/score.ts'

const tape = fc
  .array(fc.tuple(fc.integer({ min: 1, max: TAPE_MS }), fc.bigInt({ min: 1n, max: 10n ** 15n })), { maxLength: 25 })
  .chain((points) => fc.constant([[0, 30_000_000_000n] as [number, bigint], ...points.sort(([a], [b]) => a - b)]))
const moment = fc.option(fc.integer({ min: 0, max: TAPE_MS - 1 }))

/** Converts prices from units of 10^-18 SOL, as in the journal. */
const toPoints = (points: readonly (readonly [number, bigint])[]): TapePoint[] =>
  points.map(([ms, price]) => ({ ms, price: new Decimal(price.toString()).div('1e18') }))

const LAMPORTS = 10n ** 9n
/** Computes the gain in the most obvious way, in lamports and millionths of a token. */
function slowGain(points: readonly (readonly [number, bigint])[], bought: number | null, sold: number | null): bigint {
  const priceAt = (ms: number) => points.filter(([at]) => at <= ms).at(-1)?.[1] ?? 0n
  const fee = (lamports: bigint) => (lamports * 3n + 999n) / 1_000n
  if (bought === null) return 0n
  const tokens = ((LAMPORTS - fee(LAMPORTS)) * 10n ** 15n) / priceAt(bought)
  const gross = (tokens * priceAt(sold ?? TAPE_MS)) / 10n ** 15n
  return gross - fee(gross) - LAMPORTS
}

describe('the score of a daily game', () => {
  it('equals that of a simple model, to the last lamport', () => {
    fc.assert(
      fc.property(tape, moment, moment, (points, a, b) => {
        const [bought, sold] = a !== null && b !== null && a > b ? [b, a] : [a, b]
        const gain = computeGain(toPoints(points), { boughtMs: bought, soldMs: sold })
        expect(gain.mul('1e9').toFixed()).toBe(String(slowGain(points, bought, sold)))
      }),
    )
  })

  it('never exceeds the best score, which some game reaches', () => {
    fc.assert(
      fc.property(tape, (points) => {
        const times = points.map(([ms]) => ms)
        const all = times.flatMap((from) => times.filter((to) => to >= from).map((to) => slowGain(points, from, to)))
        const { gain, ...moves } = findBest(toPoints(points))
        const best = [0n, ...all].sort((a, b) => (a < b ? 1 : -1))[0]
        expect(gain.mul('1e9').toFixed()).toBe(String(best))
        expect(computeGain(toPoints(points), moves)).toEqual(gain)
      }),
    )
  })

  it('is drawn as one square for each twenty seconds', () => {
    const points = [0, 20, 40, 60, 80, 100, 120, 140, 160].map((s, index) => ({
      ms: s * 1_000,
      price: new Decimal([1, 2, 3, 2, 2, 4, 1, 5, 5][index] ?? 1),
    }))
    expect(drawStrip(points, { boughtMs: 10_000, soldMs: 125_000 })).toBe('🟩🟩🟥⬜🟩🟥⬜⬛⬛')
    expect(drawStrip(points, { boughtMs: 110_000, soldMs: null })).toBe('⬛⬛⬛⬛⬛🟥🟩⬜⬜')
    expect(drawStrip(points, { boughtMs: null, soldMs: null })).toBe('⬛⬛⬛⬛⬛⬛⬛⬛⬛')
  })
})

describe('a streak', () => {
  const TODAY = '2026-03-31'
  /** Returns the streak if the game was played this many days ago. */
  const streak = (...daysAgo: number[]) =>
    countStreak(new Set(daysAgo.map((days) => `2026-03-${String(31 - days).padStart(2, '0')}`)), TODAY)

  it('counts days in a row, and today only once it was played', () => {
    expect([streak(), streak(0), streak(1, 2), streak(0, 1, 2)]).toEqual([0, 1, 2, 3])
  })

  it('allows one missed day in seven, but not two', () => {
    expect(streak(0, 1, 3, 4)).toBe(4)
    expect(streak(2, 3)).toBe(2)
    expect(streak(0, 3)).toBe(1)
    expect(streak(0, 2, 4)).toBe(2)
    expect(streak(0, 2, 3, 4, 5, 6, 7, 9)).toBe(8)
    expect(streak(0, 2, 3, 4, 5, 6, 8)).toBe(6)
  })
})
