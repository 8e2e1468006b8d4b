import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { isDown, isFallen, toExtremes } from '../data/candle-moves.ts'
import type { Slot } from '../data/candle-window.ts'
import { axisLabel, computeSpan, timeLabel, type View } from '../data/chart-views.ts'
import { type MarkPlace, markPlaces } from '../data/mark-places.ts'
import type { Mark } from '../data/trade-marks.ts'
import { createFrame } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { CANDLE_WIDTH_MAX, labelEvery, type Size } from './plot-layout.ts'
import { toPlotPrice, toPlotSol } from './plot-number.ts'
import { computePriceScale } from './price-scale.ts'

export interface CandleOptionInput {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly view: Exclude<View, 'ticks'>
  readonly unit: ValueUnit
  readonly palette: Palette
  readonly size: Size
}

/** ECharts' value for an empty slot. */
const NOTHING = '-'

/** The ECharts option for candles, volume and marked trades. */
export function candleOption({ slots, marks, view, unit, palette, size }: CandleOptionInput) {
  const spanMs = computeSpan(slots)
  return {
    ...createFrame({
      labels: slots.map(({ timeMs }) => timeLabel(timeMs, spanMs)),
      labelEvery: labelEvery(size, slots.length),
      scale: computePriceScale(toExtremes(slots)),
      unit,
      hasVolume: true,
      palette,
    }),
    series: [
      { ...priceSeries(slots, view, palette), markLine: lastPriceLine(slots, unit, palette) },
      volumeSeries(slots, palette),
      {
        id: 'marks',
        type: 'scatter',
        z: 5,
        silent: true,
        data: markPlaces(slots, marks).map((it) => markPoint(it, palette)),
      },
    ],
  }
}

function priceSeries(slots: readonly Slot[], view: CandleOptionInput['view'], palette: Palette) {
  if (view === 'line') {
    return {
      id: 'price',
      type: 'line',
      data: slots.map(({ candle }) => (candle === null ? NOTHING : toPlotPrice(candle.close))),
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
      candle === null ? NOTHING : [candle.open, candle.close, candle.low, candle.high].map(toPlotPrice),
    ),
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
            value: toPlotSol(candle.volume),
            itemStyle: { color: isDown(candle) ? palette.down : palette.up, opacity: 0.45 },
          },
    ),
  }
}

function markPoint({ mark, price, size, down, isLettered }: MarkPlace, palette: Palette) {
  const isOwn = mark.who === 'own'
  // Small marks need a darker edge on the light scheme.
  const edge = isLettered || !isOwn ? palette.surface : palette.moonInk
  return {
    value: [mark.slot, price],
    symbol: isOwn ? 'circle' : 'diamond',
    symbolSize: size,
    symbolOffset: [0, down],
    itemStyle: {
      color: isOwn ? palette.moon : palette.creator,
      borderColor: edge,
      borderWidth: isLettered ? 2 : 1,
    },
    label: {
      show: isLettered,
      formatter: mark.side === 'buy' ? 'B' : 'S',
      color: isOwn ? palette.moonInk : palette.surface,
      fontSize: 9,
      fontWeight: 800,
    },
  }
}

function lastPriceLine(slots: readonly Slot[], unit: ValueUnit, palette: Palette) {
  const last = slots.findLast(({ candle }) => candle !== null)?.candle
  if (last == null) return { data: [] }
  const color = isFallen(slots) ? palette.down : palette.up
  const value = toPlotPrice(last.close)
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
