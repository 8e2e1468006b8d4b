import type { Candle } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { isDown, toExtremes } from '../data/candle-moves.ts'
import type { Slot } from '../data/candle-window.ts'
import type { View } from '../data/chart-views.ts'
import { type MarkPlace, markPlaces } from '../data/mark-places.ts'
import { toPlotted } from '../data/plotted.ts'
import { placeTime, toTimeLabels } from '../data/time-labels.ts'
import type { Mark } from '../data/trade-marks.ts'
import { createFrame } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { type LastPrice, placeLastLabel } from './last-price.ts'
import { CANDLE_WIDTH_MAX, computePlotWidth, LANE_ABOVE, LANE_BELOW, labelEvery, type Plot } from './plot-layout.ts'
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

/** ECharts' value for an empty slot. */
const NOTHING = '-'

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
      priceSeries(slots, view, palette),
      volumeSeries(slots, palette),
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

function priceSeries(slots: readonly Slot[], view: CandleOptionInput['view'], palette: Palette) {
  if (view === 'line') {
    return {
      id: 'price',
      type: 'line',
      data: slots.map(({ candle }) => (candle === null ? NOTHING : toPlotted(candle).close)),
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
    data: slots.map(({ candle }) => (candle === null ? NOTHING : toPrices(candle))),
    // In ECharts `color` is the colour of a rise, `color0` of a fall.
    itemStyle: {
      color: palette.up,
      borderColor: palette.up,
      color0: palette.down,
      borderColor0: palette.down,
      borderColorDoji: palette.dim,
    },
  }
}

/** In the order of ECharts. */
function toPrices(candle: Candle): number[] {
  const { open, close, low, high } = toPlotted(candle)
  return [open, close, low, high]
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
            value: toPlotted(candle).volume,
            itemStyle: { color: isDown(candle) ? palette.down : palette.up, opacity: 0.45 },
          },
    ),
  }
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
