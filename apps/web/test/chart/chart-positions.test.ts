import { describe, expect, it } from 'vitest'
import { findVisible, positionAt, toAxis, toSlots } from '../../src/features/chart/chart-axis.ts'
import { afterKey, describePosition } from '../../src/features/chart/chart-picture.tsx'
import type { Candle, Chart } from '../../src/lib/api/api.ts'
import { positionAfterKey } from '../../src/lib/ui/position-after-key.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const candle: Candle = {
  time: '2026-01-01T12:00:00.000Z',
  open: '0.00000003',
  high: '0.000000041234567891',
  low: '0.00000002',
  close: '0.00000004',
  volume: '1.5',
}
const ticks: Chart['ticks'] = [
  { seq: 8, time: candle.time, price: '0.00000004', side: 'buy' },
  { seq: 9, time: candle.time, price: '0.00000002', side: 'sell' },
]
const MINUTE = 60_000
const slots = toSlots([candle], MINUTE, T0 + 98 * MINUTE)
const positions = { slots, axis: toAxis(slots, MINUTE, false), ticks, view: 'candles', range: null } as const
/** The range is zoomed to the minutes 38 to 58. */
const zoomed = { ...positions, range: { spanMs: 20 * MINUTE, endMs: T0 + 58 * MINUTE } }

describe('the positions of a chart', () => {
  it('are the candles on screen, or all ticks', () => {
    expect(findVisible(positions)).toEqual({ first: 0, last: 99 })
    expect(findVisible(zoomed)).toEqual({ first: 39, last: 59 })
    expect(findVisible({ ...positions, view: 'ticks' })).toEqual({ first: 0, last: 1 })
    expect(findVisible({ ...positions, slots: [] })).toEqual({ first: 0, last: -1 })
  })

  it('are found under the pointer, or nearest to it beside the plot', () => {
    const width = 200 + 10 + 84
    expect([-50, 10, 210, 500].map((x) => positionAt(x, width, positions))).toEqual([0, 0, 99, 99])
    expect(positionAt(110, width, zoomed)).toBe(49)
    expect([60, 160].map((x) => positionAt(x, width, { ...positions, view: 'ticks' }))).toEqual([0, 1])
  })

  it.each([
    ['ArrowLeft', 50, 49],
    ['ArrowDown', 0, 0],
    ['ArrowRight', 50, 51],
    ['ArrowUp', 99, 99],
    ['PageDown', 50, 40],
    ['PageUp', 95, 99],
    ['Home', 50, 0],
    ['End', 50, 99],
    ['Tab', 50, undefined],
    ['b', 50, undefined],
  ])('%s leads from %d to %s', (key, from, to) => {
    expect(positionAfterKey(key, from, 99)).toBe(to)
  })
})

describe('a key on the chart', () => {
  it('moves the cross-hair within the range, and moves the range if the cross-hair leaves it', () => {
    expect(afterKey('Home', zoomed, null)).toEqual({ position: 39, range: zoomed.range })
    expect(afterKey('ArrowLeft', zoomed, 40)).toEqual({ position: 39, range: zoomed.range })
    expect(afterKey('ArrowLeft', zoomed, 39)?.range).toEqual({ spanMs: 20 * MINUTE, endMs: T0 + 57 * MINUTE })
    expect(afterKey('PageUp', zoomed, 59)?.range).toEqual({ spanMs: 20 * MINUTE, endMs: T0 + 68 * MINUTE })
  })

  it('zooms, shows everything, and hides the cross-hair', () => {
    expect(afterKey('+', positions, null)?.range?.spanMs).toBeLessThan(70 * MINUTE)
    expect(afterKey('-', zoomed, 50)?.range?.spanMs).toBe(30 * MINUTE)
    expect(afterKey('0', zoomed, 50)).toEqual({ position: 50, range: null })
    expect(afterKey('Escape', zoomed, 50)).toEqual({ position: null, range: zoomed.range })
    expect(afterKey('+', { ...positions, view: 'ticks' }, null)).toBeUndefined()
    expect(afterKey('b', positions, null)).toBeUndefined()
  })
})

describe('a position in words', () => {
  it('has the exact prices and volume', () => {
    expect(describePosition(positions, 1, 'price')).toMatch(
      /: open 0\.00000003 SOL, high 0\.000000041234567891 SOL, low 0\.00000002 SOL, close 0\.00000004 SOL, volume 1\.5 SOL$/,
    )
  })

  it('has market caps if the chart does', () => {
    expect(describePosition(positions, 1, 'cap')).toContain('open $6.0K, high $8.2K, low $4.0K, close $8.0K')
  })

  it('names a trade by its number and side', () => {
    expect(describePosition({ ...positions, view: 'ticks' }, 1, 'price')).toMatch(
      /^After trade 9 \(sell\) at .+, the price was 0\.00000002 SOL$/,
    )
  })

  it('is empty if nothing is drawn', () => {
    expect(describePosition(positions, 100, 'price')).toBe('')
    expect(describePosition({ ...positions, view: 'ticks' }, 5, 'price')).toBe('')
  })
})
