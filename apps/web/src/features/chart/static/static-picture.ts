import { isDown, type Slot, toExtremes, toPlotted } from '../data/candle-window.ts'
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

/** Narrower candles are drawn as a stroke without a body, pixels. */
const BODY_WIDTH_MIN = 1.3
/** Width of a volume bar as a fraction of its slot. */
const BAR_PART = 0.69

/** Where slots and prices are, with the positions and sizes ECharts uses. */
export interface Places {
  readonly plot: Plot
  /** Width of a slot, pixels. */
  readonly band: number
  readonly scale: PriceScale
  readonly toX: (place: number) => number
  readonly toY: (price: number) => number
  readonly floor: number
}

export function computePlaces(slots: readonly Slot[], plot: Plot): Places {
  const band = computeBand(plot, slots.length)
  const scale = computePriceScale(toExtremes(slots))
  const floor = plot.height - PRICES_BOTTOM
  const perPrice = (floor - MARGIN.top) / (scale.max - scale.min)
  const toX = (place: number) => MARGIN.left + (place + 0.5) * band
  const toY = (price: number) => floor - (price - scale.min) * perPrice
  return { plot, band, scale, floor, toX, toY }
}

/** The static picture as SVG paths, in pixels of the whole picture. */
export interface StaticPicture extends Places {
  readonly candles: { readonly up: string; readonly down: string; readonly still: string }
  readonly volume: { readonly up: string; readonly down: string }
  readonly line: string
  readonly area: string
  readonly priceLines: readonly { readonly y: number; readonly value: number }[]
  readonly timeLabels: readonly { readonly x: number; readonly text: string }[]
  /** Y of the value axis: at zero, or at the bottom. */
  readonly axis: number
}

export function staticPicture(slots: readonly Slot[], widthMs: number, plot: Plot): StaticPicture {
  const places = computePlaces(slots, plot)
  const { scale, floor, toX, toY } = places
  const candles = { up: new PathPen(), down: new PathPen(), still: new PathPen() }
  drawCandles(slots, places, candles)
  const volume = { up: new PathPen(), down: new PathPen() }
  drawVolume(slots, places, volume)
  const points = toLinePoints(slots, places)
  const line = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${px(x)} ${px(y)}`).join('')
  return {
    ...places,
    candles: { up: candles.up.text, down: candles.down.text, still: candles.still.text },
    volume: { up: volume.up.text, down: volume.down.text },
    line,
    area: line === '' ? '' : `${line}V${floor}H${px(toX(0))}Z`,
    priceLines: toGridLines(scale).map((value) => ({ y: toY(value), value })),
    timeLabels: placeTimeLabels(toTimeLabels(slots, widthMs, labelEvery(plot, slots.length)), toX),
    axis: toY(Math.max(scale.min, 0)),
  }
}

export function drawCandles<P extends Pen>(
  slots: readonly Slot[],
  { band, toX, toY }: Places,
  pens: Readonly<Record<'up' | 'down' | 'still', P>>,
): void {
  const width = Math.max(Math.min(band / 2, CANDLE_WIDTH_MAX), 1)
  for (const [place, { candle }] of slots.entries()) {
    if (candle === null) continue
    const prices = toPlotted(candle)
    const [open, close, low, high] = [toY(prices.open), toY(prices.close), toY(prices.low), toY(prices.high)]
    const middle = crispBefore(toX(place))
    const pen = pens[close < open ? 'up' : close > open ? 'down' : 'still']
    if (width <= BODY_WIDTH_MIN) {
      pen.stroke(middle, high, low)
      continue
    }
    const [top, bottom] = [Math.min(open, close), Math.max(open, close)]
    pen.box(crisp(toX(place) - width / 2), top, crispBefore(toX(place) + width / 2), bottom)
    if (high < top) pen.stroke(middle, high, top)
    if (low > bottom) pen.stroke(middle, bottom, low)
  }
}

export function drawVolume<P extends Pen>(
  slots: readonly Slot[],
  { plot, band, toX }: Places,
  pens: Readonly<Record<'up' | 'down', P>>,
): void {
  const bottom = plot.height - MARGIN.bottom
  const volumes = slots.map(({ candle }) => (candle === null ? 0 : toPlotted(candle).volume))
  const most = volumes.reduce((most, volume) => Math.max(most, volume), 0)
  const width = Math.max(Math.min(band * BAR_PART, CANDLE_WIDTH_MAX), 1)
  for (const [place, { candle }] of slots.entries()) {
    const volume = volumes[place] ?? 0
    if (candle === null || volume === 0) continue
    pens[isDown(candle) ? 'down' : 'up'].bar(toX(place) - width / 2, bottom, width, (volume / most) * VOLUME_HEIGHT)
  }
}

export function toLinePoints(slots: readonly Slot[], { toX, toY }: Places): [x: number, y: number][] {
  return slots.flatMap(({ candle }, place) =>
    candle === null ? [] : [[toX(place), toY(toPlotted(candle).close)] satisfies [number, number]],
  )
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

/** Draws candles and bars; measures in pixels. */
export type Pen = PathPen | CanvasPen

export class PathPen {
  text = ''

  stroke(x: number, from: number, to: number): void {
    this.text += `M${px(x)} ${px(from)}V${px(to)}`
  }

  box(left: number, top: number, right: number, bottom: number): void {
    this.text += `M${px(left)} ${px(top)}H${px(right)}V${px(bottom)}H${px(left)}Z`
  }

  bar(left: number, bottom: number, width: number, height: number): void {
    this.text += `M${px(left)} ${bottom}v${-px(height)}h${px(width)}v${px(height)}Z`
  }
}

/** Collects coordinates for a canvas, which needs no text to write and to parse: a frame of a pan draws hundreds. */
export class CanvasPen {
  /** x, from and to of each line. */
  readonly strokes: number[] = []
  /** left, top, right and bottom of each box. */
  readonly boxes: number[] = []

  stroke(x: number, from: number, to: number): void {
    this.strokes.push(x, from, to)
  }

  box(left: number, top: number, right: number, bottom: number): void {
    this.boxes.push(left, top, right, bottom)
  }

  bar(left: number, bottom: number, width: number, height: number): void {
    this.boxes.push(left, bottom - height, left + width, bottom)
  }
}

/** Two decimals are precise enough and keep the paths short. */
function px(length: number): number {
  return Math.round(length * 100) / 100
}
