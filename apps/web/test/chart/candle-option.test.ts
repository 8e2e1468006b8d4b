import { priceLabel } from '@papermoon/format'
import { describe, expect, it } from 'vitest'
import { type Slot, toSlots } from '../../src/features/chart/data/candle-window.ts'
import { axisLabel } from '../../src/features/chart/data/chart-views.ts'
import type { Mark } from '../../src/features/chart/data/trade-marks.ts'
import { candleOption } from '../../src/features/chart/echarts/candle-option.ts'
import type { Palette } from '../../src/features/chart/echarts/chart-palette.ts'
import { findLastPrice } from '../../src/features/chart/echarts/last-price.ts'
import { toPlotPrice } from '../../src/features/chart/echarts/plot-layout.ts'
import type { Candle } from '../../src/lib/api/api.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const MINUTE = 60_000
const palette = { up: 'up', down: 'down' } as Palette
const plot = { width: 600, height: 400, right: 80 }

const candle = (minute: number, open: string, close: string, volume = '1'): Candle => ({
  time: new Date(T0 + minute * MINUTE).toISOString(),
  open,
  high: open,
  low: close,
  close,
  volume,
})

const draw = (slots: Slot[], marks: Mark[] = []) =>
  candleOption({
    slots,
    widthMs: MINUTE,
    marks,
    last: findLastPrice(slots),
    view: 'candles',
    unit: 'price',
    palette,
    plot,
  })

/** Whether the last move was a fall. */
function isLastDown(candles: Candle[], nowMinute: number): boolean | undefined {
  return findLastPrice(toSlots(candles, 60, T0 + nowMinute * MINUTE))?.isDown
}

describe('the last price', () => {
  it('has the colour of the last move, however long ago it was', () => {
    expect(isLastDown([candle(0, '2', '1')], 0)).toBe(true)
    expect(isLastDown([candle(0, '2', '1')], 30)).toBe(true)
    expect(isLastDown([candle(0, '1', '2')], 30)).toBe(false)
  })

  it('has fallen when a rug pull made it 0', () => {
    expect(isLastDown([candle(0, '1', '2'), candle(1, '0', '0', '0')], 5)).toBe(true)
    expect(isLastDown([candle(0, '1', '0')], 5)).toBe(true)
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

describe('the value axis', () => {
  it('has no label where the last price is, and one everywhere else', () => {
    const slots = toSlots([candle(0, '0.00000003', '0.00000002')], 60, T0)
    const {
      min,
      max,
      interval,
      axisLabel: label,
    } = draw(slots).yAxis[0] as {
      min: number
      max: number
      interval: number
      axisLabel: { formatter: (value: number) => string }
    }
    const values = Array.from({ length: Math.round((max - min) / interval) + 1 }, (_, line) => min + line * interval)
    const bare = values.filter((value) => label.formatter(value) === '')
    expect(bare.length).toBeGreaterThan(0)
    expect(bare.length).toBeLessThan(values.length)
    for (const value of bare) expect(Math.abs(value - 20)).toBeLessThan(interval)
  })
})

describe('marks', () => {
  const slots = toSlots(
    Array.from({ length: 60 }, (_, minute) => candle(minute, '1', '1')),
    60,
    T0 + 60 * MINUTE,
  )
  const texts = (marks: Mark[]): unknown[] =>
    ((draw(slots, marks).series.at(-1)?.data ?? []) as { label: { formatter: string } }[]).map(
      ({ label }) => label.formatter,
    )
  const marks = (count: number) =>
    Array.from({ length: count }, (_, slot): Mark => ({ slot, side: 'buy', who: 'own', count: 1 }))

  it('have letters while they are few, and none when they would cover the candles', () => {
    expect(texts(marks(9))).toEqual(Array(9).fill('B'))
    expect(new Set(texts(marks(30)))).toEqual(new Set(['']))
  })

  it('say how many trades they are', () => {
    expect(texts([{ slot: 1, side: 'sell', who: 'own', count: 3 }])).toEqual(['S3'])
    expect(texts([{ slot: 1, side: 'buy', who: 'creator', count: 120 }])).toEqual(['B99+'])
  })
})
