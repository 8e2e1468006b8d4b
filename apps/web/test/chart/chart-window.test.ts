import { Decimal } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { type Slot, toPlotted, toSlots } from '../../src/features/chart/data/candle-window.ts'
import { findSlot, findVisible, panWindow, zoomWindow } from '../../src/features/chart/data/chart-window.ts'
import { toColumns } from '../../src/features/chart/data/columns.ts'
import type { Candle } from '../../src/lib/api/api.ts'

const MINUTE = 60_000
const candle = (minute: number): Candle => ({
  time: new Date(minute * MINUTE).toISOString(),
  open: `${minute + 1}`,
  high: `${minute + 3}.5`,
  low: `${minute + 0.5}`,
  close: `${minute + 2}`,
  volume: '0.000000001',
})
const slots: Slot[] = toSlots(
  Array.from({ length: 1_000 }, (_, minute) => candle(minute)),
  60,
  999 * MINUTE,
)
const last = slots.length - 1
const all = findVisible(slots, MINUTE, null)

describe('the window of a chart', () => {
  it('shows everything until it is zoomed', () => {
    expect([all.first, all.last]).toEqual([0, last])
    expect(panWindow(all, -50)).toBeNull()
    expect(zoomWindow(all, 2, 0.5)).toBeNull()
  })

  it('follows the latest candle while its right edge is there, and else stays where it is', () => {
    const following = zoomWindow(all, 0.1, 1)
    expect(following?.endMs).toBeNull()
    const grown = toSlots([...Array.from({ length: 1_010 }, (_, minute) => candle(minute))], 60, 1_009 * MINUTE)
    expect(findVisible(grown, MINUTE, following).last).toBe(grown.length - 1)
    const moved = panWindow(findVisible(slots, MINUTE, following), -200)
    const before = findVisible(slots, MINUTE, moved)
    const after = findVisible(grown, MINUTE, moved)
    expect(before.last).toBe(last - 200)
    expect(slots[before.first]).toEqual(grown[after.first])
    expect(panWindow(before, 500)?.endMs).toBeNull()
  })

  it('keeps what is under the pointer in its place when it zooms', () => {
    for (const at of [0.25, 0.5, 0.75]) {
      const { first, last: end } = findVisible(slots, MINUTE, zoomWindow(all, 0.5, at))
      expect(Math.abs(first + at * (end - first) - at * last)).toBeLessThan(2)
    }
  })

  it('stays within the data and never shows less than a dozen slots', () => {
    const oldest = findVisible(slots, MINUTE, panWindow(findVisible(slots, MINUTE, zoomWindow(all, 0.1, 0)), -5_000))
    expect(oldest.first).toBe(0)
    let window = zoomWindow(all, 0.5, 0.5)
    for (let times = 0; times < 20; times++) window = zoomWindow(findVisible(slots, MINUTE, window), 0.5, 0.5)
    const narrow = findVisible(slots, MINUTE, window)
    expect(narrow.last - narrow.first + 1).toBe(12)
  })

  it('finds the slot of a time', () => {
    expect(findSlot(slots, -10 * MINUTE)).toBe(-1)
    for (const place of [0, 1, 500, last]) {
      expect(findSlot(slots, (slots[place]?.timeMs ?? 0) + 30_000)).toBe(place)
    }
  })
})

describe('columns', () => {
  const merged = toColumns(all, 100)

  it('are the slots themselves where there is room', () => {
    expect(toColumns(all, 2_000)).toEqual({ slots, widthMs: MINUTE })
  })

  it('are at most as many as asked for, and keep every high, low and volume', () => {
    expect(merged.slots.length).toBeLessThanOrEqual(101)
    for (const { timeMs, candle: column } of merged.slots) {
      const parts = slots.filter((slot) => slot.timeMs >= timeMs && slot.timeMs < timeMs + merged.widthMs)
      const candles = parts.flatMap((slot) => (slot.candle === null ? [] : [slot.candle]))
      expect(column).toMatchObject({
        open: candles[0]?.open,
        close: candles.at(-1)?.close,
        high: Decimal.max(...candles.map(({ high }) => high)).toFixed(),
        low: Decimal.min(...candles.map(({ low }) => low)).toFixed(),
        volume: candles.reduce((sum, { volume }) => sum.add(volume), new Decimal(0)).toFixed(),
      })
    }
  })

  it('keep their candles while the window moves', () => {
    const narrow = findVisible(slots, MINUTE, zoomWindow(all, 0.5, 0.5))
    const [one, other] = [0, -7].map((by) => toColumns(findVisible(slots, MINUTE, panWindow(narrow, by)), 50))
    const inner = one?.slots.slice(2, -2) ?? []
    expect(inner.length).toBeGreaterThan(30)
    for (const column of inner.slice(0, -2)) expect(other?.slots).toContain(column)
  })

  it('are the same whatever was drawn before', () => {
    const fresh = [...slots]
    for (const by of [0, -1, -2, -3, -50, 40, 0]) {
      const visible = findVisible(slots, MINUTE, panWindow(findVisible(slots, MINUTE, zoomWindow(all, 0.5, 0.5)), by))
      expect(toColumns(visible, 50)).toEqual(toColumns({ ...visible, slots: [...fresh] }, 50))
    }
  })

  it('have the numbers of their texts', () => {
    for (const { candle: column } of merged.slots) {
      if (column !== null) expect(toPlotted(column)).toEqual(toPlotted({ ...column }))
    }
  })
})
