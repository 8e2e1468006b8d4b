import { isDown, toExtremes } from '../data/candle-moves.ts'
import type { Slot } from '../data/candle-window.ts'
import { toPlotted } from '../data/plotted.ts'
import { toTimeLabels } from '../data/time-labels.ts'
import {
  CANDLE_WIDTH_MAX,
  computeBand,
  labelEvery,
  MARGIN,
  type Plot,
  PRICES_BOTTOM,
  VOLUME_HEIGHT,
} from '../echarts/plot-layout.ts'
import { computePriceScale, type PriceScale, toGridLines } from '../echarts/price-scale.ts'

/** The static picture as SVG paths, in pixels of the whole picture. */
export interface StaticPicture {
  /** Candles that rose, fell, or did not change. */
  readonly candles: { readonly up: string; readonly down: string; readonly still: string }
  readonly volume: { readonly up: string; readonly down: string }
  /** Path of the closing prices. */
  readonly line: string
  /** Area under the line. */
  readonly area: string
  readonly priceLines: readonly { readonly y: number; readonly value: number }[]
  readonly timeLabels: readonly { readonly x: number; readonly text: string }[]
  readonly scale: PriceScale
  /** X of a slot's centre. */
  readonly toX: (place: number) => number
  /** Y of a price in plot numbers. */
  readonly toY: (price: number) => number
  /** Y of the bottom of the prices. */
  readonly floor: number
  /** Y of the value axis: at zero, or at the bottom. */
  readonly axis: number
}

/** Narrower candles are drawn as a stroke without a body, pixels. */
const BODY_WIDTH_MIN = 1.3
/** Width of a volume bar as a fraction of its slot. */
const BAR_PART = 0.69

/** Computes the static picture, with the positions and sizes ECharts uses. */
export function staticPicture(slots: readonly Slot[], widthMs: number, plot: Plot): StaticPicture {
  const band = computeBand(plot, slots.length)
  const scale = computePriceScale(toExtremes(slots))
  const floor = plot.height - PRICES_BOTTOM
  const perPrice = (floor - MARGIN.top) / (scale.max - scale.min)
  const toX = (place: number) => MARGIN.left + (place + 0.5) * band
  const toY = (price: number) => floor - (price - scale.min) * perPrice
  const line = toLinePath(slots, toX, toY)
  return {
    candles: candlePaths(slots, { band, toX, toY }),
    volume: volumePaths(slots, plot.height - MARGIN.bottom, { band, toX }),
    line,
    area: line === '' ? '' : `${line}V${floor}H${px(toX(0))}Z`,
    priceLines: toGridLines(scale).map((value) => ({ y: toY(value), value })),
    timeLabels: placeTimeLabels(toTimeLabels(slots, widthMs, labelEvery(plot, slots.length)), toX),
    scale,
    toX,
    toY,
    floor,
    axis: toY(Math.max(scale.min, 0)),
  }
}

interface Places {
  readonly band: number
  readonly toX: (place: number) => number
  readonly toY: (price: number) => number
}

function candlePaths(slots: readonly Slot[], { band, toX, toY }: Places): StaticPicture['candles'] {
  const paths = { up: '', down: '', still: '' }
  const width = Math.max(Math.min(band / 2, CANDLE_WIDTH_MAX), 1)
  for (const [place, { candle }] of slots.entries()) {
    if (candle === null) continue
    const prices = toPlotted(candle)
    const [open, close, low, high] = [toY(prices.open), toY(prices.close), toY(prices.low), toY(prices.high)]
    const middle = px(crispBefore(toX(place)))
    const move = close < open ? 'up' : close > open ? 'down' : 'still'
    if (width <= BODY_WIDTH_MIN) {
      paths[move] += `M${middle} ${px(high)}V${px(low)}`
      continue
    }
    const [top, bottom] = [Math.min(open, close), Math.max(open, close)]
    const [left, right] = [crisp(toX(place) - width / 2), crispBefore(toX(place) + width / 2)]
    paths[move] += `M${px(left)} ${px(top)}H${px(right)}V${px(bottom)}H${px(left)}Z`
    if (high < top) paths[move] += `M${middle} ${px(high)}V${px(top)}`
    if (low > bottom) paths[move] += `M${middle} ${px(bottom)}V${px(low)}`
  }
  return paths
}

function volumePaths(slots: readonly Slot[], bottom: number, { band, toX }: Omit<Places, 'toY'>) {
  const paths = { up: '', down: '' }
  const volumes = slots.map(({ candle }) => (candle === null ? 0 : toPlotted(candle).volume))
  const most = volumes.reduce((most, volume) => Math.max(most, volume), 0)
  const width = Math.max(Math.min(band * BAR_PART, CANDLE_WIDTH_MAX), 1)
  for (const [place, { candle }] of slots.entries()) {
    const volume = volumes[place] ?? 0
    if (candle === null || volume === 0) continue
    const left = px(toX(place) - width / 2)
    const height = px((volume / most) * VOLUME_HEIGHT)
    paths[isDown(candle) ? 'down' : 'up'] += `M${left} ${bottom}v${-height}h${px(width)}v${height}Z`
  }
  return paths
}

function toLinePath(slots: readonly Slot[], toX: Places['toX'], toY: Places['toY']): string {
  return slots
    .flatMap(({ candle }, place) => (candle === null ? [] : [`${px(toX(place))} ${px(toY(toPlotted(candle).close))}`]))
    .map((point, index) => (index === 0 ? `M${point}` : `L${point}`))
    .join('')
}

function placeTimeLabels(labels: readonly string[], toX: Places['toX']): StaticPicture['timeLabels'] {
  return labels.flatMap((text, place) => (text === '' ? [] : [{ x: toX(place), text }]))
}

/** Rounds to a pixel's centre, so that a one-pixel stroke is sharp; an edge rounds up. Same as ECharts. */
export function crisp(position: number): number {
  return crispBefore(position + 0.5)
}

/** Rounds to a pixel's centre; an edge rounds down. Same as ECharts. */
function crispBefore(position: number): number {
  return Math.floor(position - 0.25) + 0.5
}

/** Two decimals are precise enough and keep the paths short. */
function px(length: number): number {
  return Math.round(length * 100) / 100
}
