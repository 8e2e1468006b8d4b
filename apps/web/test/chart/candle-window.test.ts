import { chart, tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { candlesWithin, computeRange, findRange, toSlots } from '../../src/features/chart/data/candle-window.ts'
import { toMarks } from '../../src/features/chart/data/trade-marks.ts'
import type { Candle } from '../../src/lib/api/api.ts'

const T0 = Date.parse('2026-01-01T12:00:00.000Z')
const MINUTE = 60_000

const candle = (minute: number, close = '2'): Candle => ({
  time: new Date(T0 + minute * MINUTE).toISOString(),
  open: '1',
  high: '3',
  low: '1',
  close,
  volume: '5',
})
const drawn = (candles: Candle[], nowMinute: number) => toSlots(candles, 60, T0 + nowMinute * MINUTE)

describe('the time axis', () => {
  it('begins at the price before the first candle', () => {
    expect(drawn([candle(0)], 0)[0]).toEqual({
      timeMs: T0 - MINUTE,
      candle: { time: '2026-01-01T11:59:00.000Z', open: '1', high: '1', low: '1', close: '1', volume: '0' },
    })
  })

  it('is even: gaps between candles stay at the price before them', () => {
    const slots = drawn([candle(0, '2'), candle(3, '4')], 3)
    expect(slots.slice(0, 5).map(({ timeMs }) => (timeMs - T0) / MINUTE)).toEqual([-1, 0, 1, 2, 3])
    expect(slots[2]?.candle).toMatchObject({ open: '2', close: '2', volume: '0' })
    expect(slots[4]?.candle?.close).toBe('4')
  })

  it('continues to now when nobody trades', () => {
    const last = drawn([candle(0)], 60).at(-1)
    expect(last?.timeMs).toBe(T0 + 60 * MINUTE)
    expect(last?.candle?.volume).toBe('0')
  })

  it('leaves a young token room to grow', () => {
    const slots = drawn([candle(0)], 0)
    expect(slots.length).toBeGreaterThan(40)
    expect(slots.filter((slot) => slot.candle !== null)).toHaveLength(2)
  })

  it('of a moment in the past ends there', () => {
    const slots = toSlots([candle(0), candle(1)], 60, T0 + MINUTE, 0)
    expect(slots.map(({ timeMs }) => (timeMs - T0) / MINUTE)).toEqual([-1, 0, 1])
  })

  it('is bounded, however long the gap was', () => {
    const slots = drawn([candle(0), candle(1_000_000)], 2_000_000)
    expect(slots).toHaveLength(10_000)
    expect(slots.at(-1)?.timeMs).toBe(T0 + 2_000_000 * MINUTE)
  })

  it('has nothing to show without candles', () => {
    expect(drawn([], 5)).toEqual([])
  })
})

describe('a timeframe', () => {
  it('drops candles that grew too old while the page was open', () => {
    const hour = chart({ timeframe: '1H', candles: [candle(0), candle(90)] })
    expect(candlesWithin(hour, T0 + 95 * MINUTE)).toEqual([candle(90)])
    expect(candlesWithin({ ...hour, timeframe: 'ALL' }, T0 + 95 * MINUTE)).toHaveLength(2)
  })

  it('has the highest and lowest price of its candles', () => {
    expect(computeRange([{ ...candle(0), high: '12', low: '9' }, candle(1)])).toEqual({ high: '12', low: '1' })
    expect(computeRange([])).toBeNull()
  })

  it('has the chart’s own highest and lowest price until a candle is too old', () => {
    const hour = chart({ timeframe: '1H', candles: [candle(0), candle(90)], high: '9', low: '0.5' })
    const rangeAt = (minute: number) => findRange(hour, candlesWithin(hour, T0 + minute * MINUTE))
    expect(rangeAt(30)).toMatchObject({ high: '9', low: '0.5' })
    expect(rangeAt(95)).toEqual({ high: '3', low: '1' })
  })
})

describe('marks', () => {
  const at = (seconds: number) => new Date(T0 + seconds * 1_000).toISOString()
  const trade = (seq: number, trader: number, seconds: number) =>
    tradeEvent({ seq, trader, createdAt: at(seconds) }).trade
  const slots = { slots: drawn([candle(0), candle(1)], 1), widthMs: MINUTE }

  it('are grouped by candle, side and owner, with their number', () => {
    const trades = [trade(4, 3, 70), trade(3, 1, 65), trade(2, 2, 61), trade(1, 2, 5)]
    expect(toMarks([...trades, trade(5, 2, 62)], slots, { ownId: 2, creatorId: 1 })).toEqual([
      { slot: 2, side: 'buy', who: 'creator', count: 1 },
      { slot: 2, side: 'buy', who: 'own', count: 2 },
      { slot: 1, side: 'buy', who: 'own', count: 1 },
    ])
  })

  it('show a creator their trades as their own, and a guest only the creator’s', () => {
    expect(toMarks([trade(1, 1, 0)], slots, { ownId: 1, creatorId: 1 })[0]?.who).toBe('own')
    expect(toMarks([trade(1, 2, 0)], slots, { ownId: null, creatorId: 1 })).toEqual([])
  })

  it('leave out trades before and after what is on screen', () => {
    expect(
      toMarks([trade(1, 1, 300)], { ...slots, slots: slots.slots.slice(0, 3) }, { ownId: null, creatorId: 1 }),
    ).toEqual([])
    expect(toMarks([trade(1, 1, -600)], slots, { ownId: null, creatorId: 1 })).toEqual([])
  })
})
