import { describe, expect, it } from 'vitest'
import { toSlots } from '../../src/features/chart/data/candle-window.ts'
import { lastPlace, placeText } from '../../src/features/chart/echarts/chart-place.ts'
import type { Candle, Chart } from '../../src/lib/api/api.ts'
import { placeAfterKey } from '../../src/lib/ui/place-after-key.ts'

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
const places = { slots: toSlots([candle], 60, T0), ticks, widthMs: 60_000, view: 'candles' } as const

describe('the places of a chart', () => {
  it('end with the last candle, not with a young token’s empty slots', () => {
    expect(places.slots.length).toBeGreaterThan(2)
    expect(lastPlace(places)).toBe(1)
    expect(lastPlace({ ...places, view: 'ticks' })).toBe(1)
    expect(lastPlace({ ...places, slots: [] })).toBe(-1)
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
    expect(placeAfterKey(key, from, 99)).toBe(to)
  })
})

describe('a place in words', () => {
  it('has the exact prices and volume', () => {
    expect(placeText(places, 1, 'price')).toMatch(
      /: open 0\.00000003 SOL, high 0\.000000041234567891 SOL, low 0\.00000002 SOL, close 0\.00000004 SOL, volume 1\.5 SOL$/,
    )
  })

  it('has market caps where the chart does', () => {
    expect(placeText(places, 1, 'cap')).toContain('open $6.0K, high $8.2K, low $4.0K, close $8.0K')
  })

  it('names a trade by its number and side', () => {
    expect(placeText({ ...places, view: 'ticks' }, 1, 'price')).toMatch(/^Trade 9, sell, .+: 0\.00000002 SOL after it$/)
  })

  it('is empty where nothing is drawn', () => {
    expect(placeText(places, 2, 'price')).toBe('')
    expect(placeText({ ...places, view: 'ticks' }, 5, 'price')).toBe('')
  })
})
