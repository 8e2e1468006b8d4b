import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { toExtremes } from '../data/candle-moves.ts'
import type { Slot } from '../data/candle-window.ts'
import type { View } from '../data/chart-views.ts'
import { type MarkPlace, markPlaces } from '../data/mark-places.ts'
import { placeTime, toTimeLabels } from '../data/time-labels.ts'
import type { Mark } from '../data/trade-marks.ts'
import { type StaticPicture, staticPicture } from '../static/static-picture.ts'
import { createFrame } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { type LastPrice, placeLastLabel } from './last-price.ts'
import { computePlotWidth, LANE_ABOVE, LANE_BELOW, labelEvery, type Plot } from './plot-layout.ts'
import { computePriceScale, type PriceScale } from './price-scale.ts'

export interface CandleOptionInput {
  readonly slots: readonly Slot[]
  /** Of a slot. */
  readonly widthMs: number
  readonly marks: readonly Mark[]
  readonly view: Exclude<View, 'ticks'>
  readonly unit: ValueUnit
  readonly palette: Palette
  readonly plot: Plot
  readonly last: LastPrice | null
}

/** The ECharts option for candles, volume and marked trades. */
export function candleOption({ slots, widthMs, marks, last, view, unit, palette, plot }: CandleOptionInput) {
  const scale = computePriceScale(toExtremes(slots))
  return {
    ...createFrame({
      labels: toTimeLabels(slots, widthMs, labelEvery(plot, slots.length)),
      pointerLabel: (place) => placeTime(slots[place]?.timeMs ?? 0, widthMs),
      scale,
      plot,
      lastLabel: last === null ? null : placeLastLabel(last.value, scale, plot),
      unit,
      hasVolume: true,
      palette,
    }),
    series: [
      pathSeries(staticPicture(slots, widthMs, plot), view, palette),
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

/**
 * All candles, or the line, and the volume as one item of a custom series: the paths of the static picture. An element
 * for each candle and bar takes ECharts four times as long.
 */
function pathSeries(picture: StaticPicture, view: CandleOptionInput['view'], palette: Palette) {
  const { candles, volume, line, area } = picture
  const prices =
    view === 'line'
      ? [
          toPath(area, { fill: palette.moon, opacity: 0.14 }),
          toPath(line, { stroke: palette.moon, lineWidth: 2.5, fill: 'none' }),
        ]
      : [
          toPath(candles.still, { stroke: palette.dim }),
          toPath(candles.up, { stroke: palette.up, fill: palette.up }),
          toPath(candles.down, { stroke: palette.down, fill: palette.down }),
        ]
  const bars = [
    toPath(volume.up, { fill: palette.up, opacity: 0.45 }),
    toPath(volume.down, { fill: palette.down, opacity: 0.45 }),
  ]
  const children = [...bars, ...prices].filter((path) => path !== null)
  return { id: 'paths', type: 'custom', silent: true, data: [0], renderItem: () => ({ type: 'group', children }) }
}

/** A path in pixels of the whole picture; null if it is empty. */
function toPath(pathData: string, style: object) {
  return pathData === '' ? null : { type: 'path', silent: true, shape: { pathData }, style: { lineWidth: 1, ...style } }
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
