import { describe, expect, it } from 'vitest'
import { toAxis, toSlots } from '../../src/features/chart/chart-axis.ts'
import type { TradeMarker } from '../../src/features/chart/chart-marks.tsx'
import { type ChartOptionInput, chartOption, type Palette } from '../../src/features/chart/chart-option.ts'
import type { Candle, Chart } from '../../src/lib/api/api.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const MINUTE = 60_000
const TIME = '2026-01-01T12:00:30.000Z'
const names = ['up', 'down', 'dim', 'text', 'surface', 'line', 'own', 'ownInk', 'creator', 'creatorInk', 'font']
const palette = Object.fromEntries(names.map((name) => [name, name])) as Palette

const candle = (minute: number, open: number, close: number): Candle => ({
  time: new Date(T0 + minute * MINUTE).toISOString(),
  open: `0.0000000${open}`,
  high: `0.0000000${Math.max(open, close) + 1}`,
  low: `0.0000000${Math.min(open, close) - 1}`,
  close: `0.0000000${close}`,
  volume: '1.5',
})
const slots = toSlots([candle(0, 30, 40), candle(1, 40, 35)], MINUTE, T0 + 2 * MINUTE)
const ticks: Chart['ticks'] = [
  { seq: 8, time: TIME, price: '0.00000004', side: 'buy' },
  { seq: 9, time: TIME, price: '0.000000035', side: 'sell' },
]

interface Series {
  readonly id: string
  readonly type: string
  readonly itemStyle: object
  // biome-ignore lint/suspicious/noExplicitAny: what ECharts takes.
  readonly data: any[]
  // biome-ignore lint/suspicious/noExplicitAny: what ECharts takes.
  readonly markLine: { readonly data: any[] }
  // biome-ignore lint/suspicious/noExplicitAny: what ECharts takes.
  readonly markPoint: { readonly data: any[] }
}

function draw(more: Partial<ChartOptionInput> = {}) {
  const axis = toAxis(slots, MINUTE, false)
  const drawn = { slots, axis, ticks, trades: [], markers: [], isLettered: true, lines: [], last: null, post: null }
  const option = chartOption({ ...drawn, view: 'candles', unit: 'price', palette, ...more })
  const find = (id: string) => {
    const found = (option.series as unknown as Series[]).find((series) => series.id === id)
    if (found === undefined) throw new Error(`no series ${id}`)
    return found
  }
  return { option, find, markers: () => find('markers') }
}

describe('the candles', () => {
  it('show their prices, one per minute, in the colour of their move', () => {
    const { type, itemStyle, data } = draw().find('candles')
    expect(type).toBe('candlestick')
    expect(itemStyle).toMatchObject({ color: 'up', color0: 'down', borderColorDoji: 'dim' })
    expect(data).toEqual([
      [T0 - MINUTE, 30, 30, 30, 30],
      [T0, 30, 40, 29, 41],
      [T0 + MINUTE, 40, 35, 34, 41],
      [T0 + 2 * MINUTE, 35, 35, 35, 35],
    ])
  })

  it('become a line of their closing prices in the line view', () => {
    expect(
      draw({ view: 'line' })
        .find('line')
        .data.map(([, price]) => price),
    ).toEqual([30, 40, 35, 35])
  })

  it('have volume bars of the same colours', () => {
    const bars = (side: string) => draw().find(`volume ${side}`)
    expect(bars('up').data.map(([, volume]) => volume)).toEqual([0, 1.5, 0, 0])
    expect(bars('down').data.map(([, volume]) => volume)).toEqual([0, 0, 1.5, 0])
    expect([bars('up').itemStyle, bars('down').itemStyle]).toMatchObject([{ color: 'up' }, { color: 'down' }])
  })
})

describe('markers', () => {
  const mark = (more: Partial<TradeMarker> = {}): TradeMarker => {
    const [, slot] = slots
    if (slot === undefined) throw new Error('no slot')
    return { slot, side: 'buy', who: 'own', count: 1, ...more }
  }
  const texts = (markers: TradeMarker[]) =>
    draw({ markers })
      .markers()
      .markPoint.data.map(({ label }) => label.formatter)

  it('are below their candle for buys and above it for sales', () => {
    const [buy, sale] = draw({ markers: [mark(), mark({ side: 'sell' })] }).markers().markPoint.data
    expect([buy.coord, sale.coord]).toEqual([
      [T0, 29],
      [T0, 41],
    ])
    expect([buy, sale].map(({ symbolOffset }) => Math.sign(symbolOffset[1]))).toEqual([1, -1])
  })

  it('have the colour of their owner, and the creator’s are farther from the candle than the player’s own', () => {
    const [own, creators] = draw({ markers: [mark(), mark({ who: 'creator' })] }).markers().markPoint.data
    expect([own.itemStyle.color, creators.itemStyle.color]).toEqual(['own', 'creator'])
    expect(creators.symbolOffset[1] - own.symbolOffset[1]).toBeGreaterThanOrEqual(own.symbolSize[1])
  })

  it('show the number of their trades', () => {
    expect(texts([mark(), mark({ side: 'sell', count: 3 }), mark({ count: 120 })])).toEqual(['B', 'S3', 'B99+'])
  })

  it('are small and without letters if these would cover the candles', () => {
    const [small] = draw({ markers: [mark()], isLettered: false }).markers().markPoint.data
    expect(small.label.show).toBe(false)
    expect(small.symbolSize[0]).toBeLessThan(10)
  })
})

describe('lines', () => {
  it('are at the latest price, in the colour of the last move, and at the player’s own prices', () => {
    const { data } = draw({ lines: [{ value: 31 }], last: { value: 35, isDown: true } }).markers().markLine
    expect(data.map(({ yAxis, lineStyle }) => [yAxis, lineStyle.color])).toEqual([
      [31, 'own'],
      [35, 'down'],
    ])
  })

  it('show the time and price of the post under the pointer', () => {
    const { markLine, markPoint } = draw({ post: { createdAt: TIME, price: '0.000000039' } }).markers()
    expect(markLine.data[0].xAxis).toBe(Date.parse(TIME))
    expect(markPoint.data[0]).toMatchObject({ coord: [Date.parse(TIME), 39], label: { formatter: '💬' } })
    expect(draw({ post: { createdAt: TIME, price: null } }).markers().markPoint.data).toEqual([])
  })
})

describe('the ticks', () => {
  it('show the price after each trade, with the owner’s colour around marked ones', () => {
    const trades = [{ seq: 9, side: 'sell', who: 'creator', createdAt: TIME } as const]
    const { data } = draw({ view: 'ticks', trades }).find('ticks')
    expect(data.map(({ value, itemStyle }) => [value, itemStyle])).toEqual([
      [40, { color: 'up' }],
      [35, { color: 'down', borderColor: 'creator', borderWidth: 2.5 }],
    ])
  })
})

describe('the cross-hair', () => {
  it('names the time and the price, or the trade', () => {
    const name = (view: 'candles' | 'ticks', axisDimension: string, value: number) =>
      draw({ view }).option.axisPointer.label.formatter({ value, axisDimension })
    expect(name('candles', 'x', T0)).toMatch(/^Jan 1, \d\d:\d\d$/)
    expect(name('candles', 'y', 35)).toBe('0.0₇35')
    expect(name('ticks', 'x', 1)).toBe('#9')
  })
})
