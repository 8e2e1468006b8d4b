import type { Candle } from '../../lib/api.ts'
import type { Slot } from './candle-window.ts'
import { frameOf } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { axisLabel, timeLabel, type Unit, type View } from './chart-views.ts'
import { plotPrice, plotSol } from './plot-number.ts'
import { LETTERED_MAX, type Mark } from './trade-marks.ts'

export interface CandleOptionInput {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly view: Exclude<View, 'ticks'>
  readonly unit: Unit
  readonly palette: Palette
}

/** Drawn for a slot in which nothing has happened yet. */
const NOTHING = '-'
const CANDLE_WIDTH_MAX = 16

/** How marks are drawn, in pixels. */
interface MarkSize {
  readonly size: number
  /** From the candle's end to the middle of the mark. */
  readonly distance: number
  /** Whether it has its letter, B or S. */
  readonly isLettered: boolean
}

const LARGE: MarkSize = { size: 16, distance: 14, isLettered: true }
const SMALL: MarkSize = { size: 8, distance: 8, isLettered: false }

/** What the canvas draws of the candles, their volume and the marked trades. */
export function candleOption({ slots, marks, view, unit, palette }: CandleOptionInput) {
  const spanMs = (slots.at(-1)?.timeMs ?? 0) - (slots[0]?.timeMs ?? 0)
  const labels = slots.map(({ timeMs }) => timeLabel(timeMs, spanMs))
  return {
    ...frameOf({ labels, unit, hasVolume: true, palette }),
    series: [
      { ...priceSeries(slots, view, palette), markLine: lastPriceLine(slots, unit, palette) },
      volumeSeries(slots, palette),
      marksSeries(slots, marks, palette),
    ],
  }
}

function priceSeries(slots: readonly Slot[], view: CandleOptionInput['view'], palette: Palette) {
  if (view === 'line') {
    return {
      id: 'price',
      type: 'line',
      data: slots.map(({ candle }) => (candle === null ? NOTHING : plotPrice(candle.close))),
      symbol: 'none',
      silent: true,
      lineStyle: { color: palette.moon, width: 2.5 },
      itemStyle: { color: palette.moon },
      areaStyle: { color: palette.moon, opacity: 0.14, origin: 'start' },
    }
  }
  return {
    id: 'price',
    type: 'candlestick',
    barMaxWidth: CANDLE_WIDTH_MAX,
    data: slots.map(({ candle }) =>
      candle === null ? NOTHING : [candle.open, candle.close, candle.low, candle.high].map(plotPrice),
    ),
    // ECharts' names are older than its colours: `color` is a rise.
    itemStyle: {
      color: palette.up,
      borderColor: palette.up,
      color0: palette.down,
      borderColor0: palette.down,
      borderColorDoji: palette.dim,
    },
  }
}

function volumeSeries(slots: readonly Slot[], palette: Palette) {
  return {
    id: 'volume',
    type: 'bar',
    xAxisIndex: 1,
    yAxisIndex: 1,
    barMaxWidth: CANDLE_WIDTH_MAX,
    data: slots.map(({ candle }) =>
      candle === null
        ? NOTHING
        : {
            value: plotSol(candle.volume),
            itemStyle: { color: isDown(candle) ? palette.down : palette.up, opacity: 0.45 },
          },
    ),
  }
}

/** Buys stand under their candle, sales above it; the creator's beyond the player's own. Many are small. */
function marksSeries(slots: readonly Slot[], marks: readonly Mark[], palette: Palette) {
  const look = marks.length > LETTERED_MAX ? SMALL : LARGE
  const own = new Set(marks.filter(({ who }) => who === 'own').map(({ slot, side }) => `${slot} ${side}`))
  const data = marks.flatMap((mark) => {
    const candle = slots[mark.slot]?.candle ?? null
    if (candle === null) return []
    const isSecond = mark.who === 'creator' && own.has(`${mark.slot} ${mark.side}`)
    const distance = isSecond ? look.distance + look.size : look.distance
    return [markPoint(mark, candle, { ...look, distance }, palette)]
  })
  return { id: 'marks', type: 'scatter', z: 5, silent: true, data }
}

function markPoint(
  { slot, side, who }: Mark,
  candle: Candle,
  { size, distance, isLettered }: MarkSize,
  palette: Palette,
) {
  const isBuy = side === 'buy'
  const isOwn = who === 'own'
  // A small moon would fade on light paper.
  const edge = isLettered || !isOwn ? palette.surface : palette.moonInk
  return {
    value: [slot, plotPrice(isBuy ? candle.low : candle.high)],
    symbol: isOwn ? 'circle' : 'diamond',
    symbolSize: isOwn ? size : size + 3,
    symbolOffset: [0, isBuy ? distance : -distance],
    itemStyle: {
      color: isOwn ? palette.moon : palette.creator,
      borderColor: edge,
      borderWidth: isLettered ? 2 : 1,
    },
    label: {
      show: isLettered,
      formatter: isBuy ? 'B' : 'S',
      color: isOwn ? palette.moonInk : palette.surface,
      fontSize: 9,
      fontWeight: 800,
    },
  }
}

function lastPriceLine(slots: readonly Slot[], unit: Unit, palette: Palette) {
  const last = slots.findLast(({ candle }) => candle !== null)?.candle
  if (last == null) return { data: [] }
  const color = isFallen(slots) ? palette.down : palette.up
  const value = plotPrice(last.close)
  return {
    silent: true,
    symbol: 'none',
    lineStyle: { color, type: 'dotted', width: 1.5 },
    label: {
      position: 'end',
      formatter: axisLabel(value, unit),
      backgroundColor: color,
      color: palette.surface,
      padding: [4, 6],
      borderRadius: 5,
      fontWeight: 700,
    },
    data: [{ yAxis: value }],
  }
}

function isDown({ open, close }: Candle): boolean {
  return plotPrice(close) < plotPrice(open)
}

/** Whether the last move went down: a minute in which nobody traded, and the zero after a rug pull, make none. */
function isFallen(slots: readonly Slot[]): boolean {
  const closes = slots.flatMap(({ candle }) => (candle === null ? [] : [plotPrice(candle.close)]))
  const first = slots[0]?.candle
  const prices = first == null ? closes : [plotPrice(first.open), ...closes]
  const last = prices.at(-1)
  const before = prices.findLast((price) => price !== last)
  return last !== undefined && before !== undefined && last < before
}
