import { describe, expect, it } from 'vitest'
import { toSlots } from '../../src/features/chart/data/candle-window.ts'
import { markPlaces } from '../../src/features/chart/data/mark-places.ts'
import type { Mark } from '../../src/features/chart/data/trade-marks.ts'

const candles = Array.from({ length: 100 }, (_, second) => ({
  time: new Date(second * 1_000).toISOString(),
  open: '1',
  high: '2',
  low: '1',
  close: '2',
  volume: '1',
}))
const slots = toSlots(candles, 1, 99_000)
const mark = (slot: number, more: Partial<Mark> = {}): Mark => ({ slot, side: 'buy', who: 'own', count: 1, ...more })

describe('the places of marks', () => {
  it('are at the candles of a wide plot, buys below and sales above', () => {
    const places = markPlaces(slots, [mark(5), mark(9, { side: 'sell' })], 700)
    expect(places.map(({ price }) => price)).toEqual([1_000_000_000, 2_000_000_000])
    expect(places.map(({ down }) => Math.sign(down))).toEqual([1, -1])
  })

  it('are beside all candles on a narrow plot, and wherever they are many', () => {
    for (const [count, width] of [
      [1, 280],
      [60, 700],
    ] as const) {
      const marks = Array.from({ length: count }, (_, slot) => mark(slot))
      for (const { price, text } of markPlaces(slots, marks, width))
        expect({ price, text }).toEqual({ price: null, text: '' })
    }
  })

  it('never touch each other in a lane', () => {
    const plotWidth = 280
    const marks = Array.from({ length: 100 }, (_, slot) => mark(99 - slot))
    const xs = markPlaces(slots, marks, plotWidth).map(({ mark: { slot } }) => (slot * plotWidth) / slots.length)
    expect(xs.length).toBeGreaterThan(10)
    for (const [index, x] of xs.slice(1).entries()) expect(x - (xs[index] ?? 0)).toBeGreaterThanOrEqual(7)
  })
})
