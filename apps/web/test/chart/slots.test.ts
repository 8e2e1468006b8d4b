import { tradeEvent } from '@papermoon/live/testing'
import { describe, expect, it } from 'vitest'
import { findSlot, toAxis, toPlotPrice, toSlots } from '../../src/features/chart/chart-axis.ts'
import { findOwned, toMarkers } from '../../src/features/chart/chart-marks.tsx'
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
const drawn = (candles: Candle[], nowMinute: number) => toSlots(candles, MINUTE, T0 + nowMinute * MINUTE)

describe('the time axis', () => {
  it('starts at the price before the first candle', () => {
    expect(drawn([candle(0)], 0)[0]).toEqual({
      timeMs: T0 - MINUTE,
      candle: { time: '2026-01-01T11:59:00.000Z', open: '1', high: '1', low: '1', close: '1', volume: '0' },
    })
  })

  it('is even: gaps between candles keep the price before them', () => {
    const slots = drawn([candle(0, '2'), candle(3, '4')], 3)
    expect(slots.slice(0, 5).map(({ timeMs }) => (timeMs - T0) / MINUTE)).toEqual([-1, 0, 1, 2, 3])
    expect(slots[2]?.candle).toMatchObject({ open: '2', close: '2', volume: '0' })
    expect(slots[4]?.candle?.close).toBe('4')
  })

  it('continues until now if nobody trades', () => {
    const last = drawn([candle(0)], 60).at(-1)
    expect(last?.timeMs).toBe(T0 + 60 * MINUTE)
    expect(last?.candle?.volume).toBe('0')
  })

  it('leaves space for a young token to grow, but none for a moment of the past', () => {
    const slots = drawn([candle(0)], 0)
    expect(slots).toHaveLength(2)
    const startMs = T0 - 1.5 * MINUTE
    expect(toAxis(slots, MINUTE, false)).toEqual({ startMs, endMs: startMs + 48 * MINUTE, widthMs: MINUTE })
    expect(toAxis(slots, MINUTE, true)).toEqual({ startMs, endMs: T0 + MINUTE / 2, widthMs: MINUTE })
  })

  it('finds the slot of a time', () => {
    const axis = toAxis(drawn([candle(0)], 5), MINUTE, false)
    expect([-MINUTE - 1, -MINUTE, -1, 0, MINUTE].map((ms) => findSlot(axis, T0 + ms))).toEqual([-1, 0, 0, 1, 2])
  })

  it('has a limited length, however long the gap was', () => {
    const slots = drawn([candle(0), candle(1_000_000)], 2_000_000)
    expect(slots).toHaveLength(10_000)
    expect(slots.at(-1)?.timeMs).toBe(T0 + 2_000_000 * MINUTE)
    expect(slots[0]?.candle).toMatchObject({ open: '2', close: '2', volume: '0' })
  })

  it('is empty without candles', () => {
    expect(drawn([], 5)).toEqual([])
  })
})

describe('a price on the plot', () => {
  it('is the nearest number, with any number of digits', () => {
    expect(toPlotPrice('0.000000032027133633')).toBe(32.027133633)
    expect(toPlotPrice('0')).toBe(0)
    expect(toPlotPrice('1234.5')).toBe(1_234_500_000_000)
  })
})

describe('markers', () => {
  const at = (seconds: number) => new Date(T0 + seconds * 1_000).toISOString()
  const trade = (seq: number, trader: number, seconds: number) =>
    tradeEvent({ seq, trader, createdAt: at(seconds) }).trade
  const slots = drawn([candle(0), candle(1)], 1)
  const axis = toAxis(slots, MINUTE, false)
  const mark = (trades: Parameters<typeof findOwned>[0], traders: Parameters<typeof findOwned>[1]) =>
    toMarkers(findOwned(trades, traders), { slots, axis }).map(({ slot, ...more }) => ({
      slot: slots.indexOf(slot),
      ...more,
    }))

  it('are grouped by candle, side and owner, with their number', () => {
    const trades = [trade(4, 3, 70), trade(3, 1, 65), trade(2, 2, 61), trade(1, 2, 5)]
    expect(mark([...trades, trade(5, 2, 62)], { ownId: 2, creatorId: 1 })).toEqual([
      { slot: 2, side: 'buy', who: 'creator', count: 1 },
      { slot: 2, side: 'buy', who: 'own', count: 2 },
      { slot: 1, side: 'buy', who: 'own', count: 1 },
    ])
  })

  it('show creators their trades as their own, and show guests only the creator’s', () => {
    expect(mark([trade(1, 1, 0)], { ownId: 1, creatorId: 1 })[0]?.who).toBe('own')
    expect(mark([trade(1, 2, 0)], { ownId: null, creatorId: 1 })).toEqual([])
  })

  it('of neighbours are merged if there is no space for each', () => {
    const trades = findOwned([trade(2, 1, 61), trade(1, 1, 5)], { ownId: 1, creatorId: 1 })
    expect(toMarkers(trades, { slots, axis }, 2 * MINUTE)).toEqual([
      { slot: slots[2], side: 'buy', who: 'own', count: 2 },
    ])
  })

  it('leave out trades before and after the candles', () => {
    expect(mark([trade(1, 1, 300), trade(2, 1, -600)], { ownId: null, creatorId: 1 })).toEqual([])
  })
})
