import { describe, expect, it } from 'vitest'
import { toSlots } from '../../src/features/chart/data/candle-window.ts'
import { axisLabel, timeLabel } from '../../src/features/chart/data/chart-views.ts'
import type { Mark } from '../../src/features/chart/data/trade-marks.ts'
import { candleOption } from '../../src/features/chart/echarts/candle-option.ts'
import type { Palette } from '../../src/features/chart/echarts/chart-palette.ts'
import { toPlotPrice } from '../../src/features/chart/echarts/plot-number.ts'
import type { Candle } from '../../src/lib/api/api.ts'
import { priceLabel } from '../../src/lib/format/format.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const MINUTE = 60_000
const palette = { up: 'up', down: 'down' } as Palette
const size = { width: 600, height: 400 }

const candle = (minute: number, open: string, close: string, volume = '1'): Candle => ({
  time: new Date(T0 + minute * MINUTE).toISOString(),
  open,
  high: open,
  low: close,
  close,
  volume,
})

/** The colour of the last price's line and label. */
function lastColor(candles: Candle[], nowMinute: number): unknown {
  const slots = toSlots(candles, 60, T0 + nowMinute * MINUTE)
  const [price] = candleOption({ slots, marks: [], view: 'candles', unit: 'price', palette, size }).series
  return price !== undefined && 'markLine' in price ? price.markLine.lineStyle?.color : undefined
}

describe('the last price', () => {
  it('has the colour of the last move, however long ago it was', () => {
    expect(lastColor([candle(0, '2', '1')], 0)).toBe('down')
    expect(lastColor([candle(0, '2', '1')], 30)).toBe('down')
    expect(lastColor([candle(0, '1', '2')], 30)).toBe('up')
  })

  it('has fallen when a rug pull made it 0', () => {
    expect(lastColor([candle(0, '1', '2'), candle(1, '0', '0', '0')], 5)).toBe('down')
    expect(lastColor([candle(0, '1', '0')], 5)).toBe('down')
  })

  it('is the number nearest to it, whatever its digits', () => {
    expect(toPlotPrice('0.000000032027133633')).toBe(32.027133633)
    expect(toPlotPrice('0')).toBe(0)
    expect(toPlotPrice('1234.5')).toBe(1_234_500_000_000)
  })

  it('is rounded on the axis as everywhere else', () => {
    expect(axisLabel(toPlotPrice('0.0000491616'), 'price')).toBe(priceLabel('0.0000491616'))
    expect(axisLabel(toPlotPrice('0.00004916178'), 'price')).toBe('0.0₄49162')
  })
})

describe('a time on the axis', () => {
  it('counts the hour after midnight as 00', () => {
    expect(timeLabel(new Date(2026, 0, 1, 0, 6).getTime(), 60 * MINUTE)).toBe('00:06')
  })
})

describe('marks', () => {
  const slots = toSlots(
    Array.from({ length: 60 }, (_, minute) => candle(minute, '1', '1')),
    60,
    T0 + 60 * MINUTE,
  )
  const drawn = (count: number): unknown => {
    const marks = Array.from({ length: count }, (_, slot): Mark => ({ slot, side: 'buy', who: 'own' }))
    return candleOption({ slots, marks, view: 'candles', unit: 'price', palette, size }).series.at(-1)?.data
  }

  it('are large while they are few, and small when they would cover the candles', () => {
    expect(drawn(40)).toEqual(Array(40).fill(expect.objectContaining({ symbolSize: 16 })))
    expect(drawn(41)).toEqual(Array(41).fill(expect.objectContaining({ symbolSize: 8 })))
  })
})
