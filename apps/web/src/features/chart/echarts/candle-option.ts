import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import type { Slot } from '../data/candle-window.ts'
import type { View } from '../data/chart-views.ts'
import { type MarkPlace, markPlaces } from '../data/mark-places.ts'
import { formatSlotTime, toTimeLabels } from '../data/time-labels.ts'
import type { Mark } from '../data/trade-marks.ts'
import {
  CanvasPen,
  computePlaces,
  drawCandles,
  drawVolume,
  type Places,
  toLinePoints,
} from '../static/static-picture.ts'
import { BOXES } from './boxes-shape.ts'
import { createFrame } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { type LastPrice, placeLastLabel } from './last-price.ts'
import { computePlotWidth, LANE_ABOVE, LANE_BELOW, labelEvery, type Plot } from './plot-layout.ts'
import type { PriceScale } from './price-scale.ts'

export interface CandleOptionInput {
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly marks: readonly Mark[]
  readonly view: Exclude<View, 'ticks'>
  readonly unit: ValueUnit
  readonly palette: Palette
  readonly plot: Plot
  readonly last: LastPrice | null
}

export function candleOption({ slots, widthMs, marks, last, view, unit, palette, plot }: CandleOptionInput) {
  const places = computePlaces(slots, plot)
  const { scale } = places
  return {
    ...createFrame({
      labels: toTimeLabels(slots, widthMs, labelEvery(plot, slots.length)),
      pointerLabel: (place) => formatSlotTime(slots[place]?.timeMs ?? 0, widthMs),
      scale,
      plot,
      lastLabel: last === null ? null : placeLastLabel(last.value, scale, plot),
      unit,
      hasVolume: true,
      palette,
    }),
    series: [
      shapeSeries(view === 'line' ? lineShapes(slots, places, palette) : candleShapes(slots, places, palette), {
        slots,
        places,
        palette,
      }),
      {
        id: 'marks',
        type: 'scatter',
        z: 5,
        silent: true,
        clip: false,
        data: markPlaces(slots, marks, computePlotWidth(plot)).map((place) => markPoint(place, scale, palette)),
      },
    ],
  }
}

interface Drawn {
  readonly slots: readonly Slot[]
  readonly places: Places
  readonly palette: Palette
}

function shapeSeries(prices: readonly object[], { slots, places, palette }: Drawn) {
  const volume = { up: new CanvasPen(), down: new CanvasPen() }
  drawVolume(slots, places, volume)
  const bars = [
    toBoxes(volume.up, { fill: palette.up, opacity: 0.45 }),
    toBoxes(volume.down, { fill: palette.down, opacity: 0.45 }),
  ]
  const children = [...bars, ...prices]
  return { id: 'paths', type: 'custom', silent: true, data: [0], renderItem: () => ({ type: 'group', children }) }
}

function candleShapes(slots: readonly Slot[], places: Places, palette: Palette): object[] {
  const candles = { up: new CanvasPen(), down: new CanvasPen(), still: new CanvasPen() }
  drawCandles(slots, places, candles)
  return [
    toBoxes(candles.still, { stroke: palette.dim }),
    toBoxes(candles.up, { stroke: palette.up, fill: palette.up }),
    toBoxes(candles.down, { stroke: palette.down, fill: palette.down }),
  ]
}

function toBoxes({ strokes, boxes }: CanvasPen, style: object) {
  return { type: BOXES, silent: true, shape: { strokes, boxes }, style: { lineWidth: 1, fill: 'none', ...style } }
}

function lineShapes(slots: readonly Slot[], places: Places, palette: Palette): object[] {
  const points = toLinePoints(slots, places)
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return []
  const area = [...points, [last[0], places.floor], [first[0], places.floor]]
  return [
    { type: 'polygon', silent: true, shape: { points: area }, style: { fill: palette.moon, opacity: 0.14 } },
    {
      type: 'polyline',
      silent: true,
      shape: { points },
      style: { stroke: palette.moon, lineWidth: 2.5, fill: 'none' },
    },
  ]
}

function markPoint({ mark, price, width, height, down, text }: MarkPlace, scale: PriceScale, palette: Palette) {
  const isOwn = mark.who === 'own'
  const isBuy = mark.side === 'buy'
  // Small marks need a darker edge on the light scheme.
  const edge = text !== '' || !isOwn ? palette.surface : palette.moonInk
  const lane = isBuy ? LANE_BELOW : -LANE_ABOVE
  return {
    value: [mark.slot, price ?? (isBuy ? scale.min : scale.max)],
    symbol: isOwn ? (width === height ? 'circle' : 'roundRect') : 'diamond',
    symbolSize: [width, height],
    symbolOffset: [0, price === null ? lane + down : down],
    itemStyle: {
      color: isOwn ? palette.moon : palette.creator,
      borderColor: edge,
      borderWidth: text === '' ? 1 : 2,
    },
    label: {
      show: text !== '',
      formatter: text,
      color: isOwn ? palette.moonInk : palette.surface,
      fontSize: 9,
      fontWeight: 800,
    },
  }
}
