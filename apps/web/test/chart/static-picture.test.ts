import { describe, expect, it } from 'vitest'
import type { Slot } from '../../src/features/chart/data/candle-window.ts'
import { MARGIN, PRICES_BOTTOM, placeAt } from '../../src/features/chart/echarts/plot-layout.ts'
import { staticPicture } from '../../src/features/chart/static/static-picture.ts'

const size = { width: 600, height: 400, right: 80 }
const MINUTE = 60_000

function slot(minute: number, open: number, close: number, volume = '1'): Slot {
  const sol = (lamports: number) => `0.0000000${lamports}`
  const [low, high] = [Math.min(open, close), Math.max(open, close)]
  const time = new Date(minute * MINUTE).toISOString()
  const candle = { time, open: sol(open), close: sol(close), low: sol(low), high: sol(high), volume }
  return { timeMs: minute * MINUTE, candle }
}

const ahead = (minute: number): Slot => ({ timeMs: minute * MINUTE, candle: null })
const strokes = (path: string) => path.split('M').length - 1

describe('the static picture', () => {
  it('has a body for each candle in the colour of its move, and none for what is ahead', () => {
    const { candles } = staticPicture(
      [slot(0, 30, 40), slot(1, 40, 50), slot(2, 50, 45), slot(3, 45, 45), ahead(4)],
      MINUTE,
      size,
    )
    expect([candles.up, candles.down, candles.still].map(strokes)).toEqual([2, 1, 1])
  })

  it('has the largest volume as high as there is room, and no bar where nobody traded', () => {
    const { volume } = staticPicture([slot(0, 30, 40, '2'), slot(1, 40, 30, '4'), slot(2, 30, 30, '0')], MINUTE, size)
    expect(volume.up).toContain('v-29h')
    expect(volume.down).toContain('v-58h')
    expect(strokes(volume.up) + strokes(volume.down)).toBe(2)
  })

  it('stays within the plot', () => {
    const picture = staticPicture([slot(0, 30, 90), slot(1, 90, 60)], MINUTE, size)
    expect(picture.floor).toBe(size.height - PRICES_BOTTOM)
    for (const price of [30, 90]) {
      expect(picture.toY(price)).toBeGreaterThan(MARGIN.top)
      expect(picture.toY(price)).toBeLessThan(picture.floor)
    }
    expect(picture.toY(90)).toBeLessThan(picture.toY(30))
    expect(picture.priceLines[0]?.y).toBeCloseTo(picture.floor, 6)
    expect(picture.priceLines.at(-1)?.y).toBeCloseTo(MARGIN.top, 6)
  })

  it('closes the area under its line, and draws none without a price', () => {
    expect(staticPicture([slot(0, 30, 40), slot(1, 40, 50), ahead(2)], MINUTE, size).area).toMatch(
      /^M[\d .]+L[\d .]+V\d+H[\d.]+Z$/,
    )
    expect(staticPicture([ahead(0)], MINUTE, size)).toMatchObject({ line: '', area: '' })
  })

  it('draws the many candles of a narrow screen as strokes', () => {
    const slots = Array.from({ length: 400 }, (_, minute) => slot(minute, 30, 31))
    expect(staticPicture(slots, MINUTE, { width: 300, height: 320, right: 80 }).candles.up).not.toContain('H')
  })

  it('leaves room between its times', () => {
    const slots = Array.from({ length: 400 }, (_, minute) => slot(minute, 30, 31))
    const { timeLabels } = staticPicture(slots, MINUTE, size)
    expect(timeLabels.length).toBeGreaterThan(5)
    for (const [index, { x }] of timeLabels.slice(1).entries()) {
      expect(x - (timeLabels[index]?.x ?? 0)).toBeGreaterThanOrEqual(54)
    }
  })

  it('finds the place that a finger is on, and the nearest one beside the plot', () => {
    const slots = [slot(0, 30, 40), slot(1, 40, 50), slot(2, 50, 45), ahead(3)]
    const { toX } = staticPicture(slots, MINUTE, size)
    expect(placeAt(toX(1), size, { places: slots.length, last: 2 })).toBe(1)
    expect(placeAt(toX(3), size, { places: slots.length, last: 2 })).toBe(2)
    expect(placeAt(-50, size, { places: slots.length, last: 2 })).toBe(0)
  })
})
