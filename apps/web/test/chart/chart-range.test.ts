import { describe, expect, it } from 'vitest'
import { fromPercent, panRange, toPercent, toTimes, zoomRange } from '../../src/features/chart/chart-axis.ts'

const MINUTE = 60_000
const axis = { startMs: 0, endMs: 1_000 * MINUTE, widthMs: MINUTE }
const grown = { ...axis, endMs: 1_010 * MINUTE }

describe('the range of a chart', () => {
  it('shows everything until it is zoomed', () => {
    expect(toTimes(axis, null)).toEqual({ start: 0, end: 1_000 * MINUTE })
    expect(panRange(axis, null, -50 * MINUTE)).toBeNull()
    expect(zoomRange(axis, null, { factor: 2, atMs: 0 })).toBeNull()
  })

  it('follows the latest candle while its right edge is there, and otherwise stays where it is', () => {
    const following = zoomRange(axis, null, { factor: 0.1, atMs: 1_000 * MINUTE })
    expect(toTimes(grown, following).end).toBe(grown.endMs)
    const moved = panRange(axis, following, -200 * MINUTE)
    expect(toTimes(grown, moved)).toEqual({ start: 700 * MINUTE, end: 800 * MINUTE })
    expect(panRange(axis, moved, 500 * MINUTE)).toEqual(following)
  })

  it('keeps the time under the pointer in its position when it zooms', () => {
    const { start, end } = toTimes(axis, zoomRange(axis, null, { factor: 0.5, atMs: 250 * MINUTE }))
    expect([start, end]).toEqual([125 * MINUTE, 625 * MINUTE])
  })

  it('stays within the axis and never shows less than a dozen candles', () => {
    const narrow = zoomRange(axis, null, { factor: 0.000_1, atMs: 0 })
    expect(toTimes(axis, narrow)).toEqual({ start: 0, end: 12 * MINUTE })
    expect(toTimes(axis, panRange(axis, narrow, -5_000 * MINUTE)).start).toBe(0)
  })

  it('is the same after conversion to the percent of ECharts and back', () => {
    expect(fromPercent(axis, toPercent(axis, null))).toBeNull()
    const following = fromPercent(axis, toPercent(axis, { spanMs: 77 * MINUTE, endMs: null }))
    expect(following?.endMs).toBeNull()
    expect(following?.spanMs).toBeCloseTo(77 * MINUTE)
    const { start, end } = toTimes(axis, fromPercent(axis, { start: 20, end: 70 }))
    expect([start, end]).toEqual([200 * MINUTE, 700 * MINUTE])
  })
})
