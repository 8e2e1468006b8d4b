import type { Post } from '../../lib/api/api.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import { axisLabel, type ChartPositions, formatSlotTime, GRID, SPAN_MIN, toPlotPrice } from './chart-axis.ts'
import type { OwnedTrade, TradeMarker } from './chart-marks.tsx'

const CANDLE_WIDTH_MAX = 16
/** Number of candles from which ECharts may draw all candles of a colour at once, which is far faster. */
const STROKES_FROM = 250
/** Max height of the volume bars, as a part of the plot's height. */
const VOLUME_PART = 0.2

export interface ChartOptionInput extends Omit<ChartPositions, 'range'> {
  readonly trades: readonly OwnedTrade[]
  /** Markers of `trades`, and whether they are large enough to contain letters. */
  readonly markers: readonly TradeMarker[]
  readonly isLettered: boolean
  /** The player's own price lines, in lamports per token. */
  readonly lines: readonly { readonly value: number }[]
  readonly last: { readonly value: number; readonly isDown: boolean } | null
  /** The discussion post that the visitor points at. Null if there is none. */
  readonly post: Pick<Post, 'price' | 'createdAt'> | null
  readonly unit: ValueUnit
  readonly palette: Palette
}

const CLOCK = '{HH}:{mm}'
const DATE = '{MMM} {d}'
const TIME_LABELS = { year: '{yyyy}', month: DATE, day: DATE, hour: CLOCK, minute: CLOCK, second: `${CLOCK}:{ss}` }

/** Returns the ECharts option for a chart type. */
export function chartOption(input: ChartOptionInput) {
  const { axis, ticks, view, unit, palette } = input
  const isTicks = view === 'ticks'
  const nameTime = (value: number) => (isTicks ? `#${ticks[value]?.seq ?? ''}` : formatSlotTime(value, axis.widthMs))
  const namePrice = (value: number) => axisLabel(value, unit)
  return {
    animation: false,
    textStyle: { fontFamily: palette.font },
    grid: { ...GRID, outerBoundsMode: 'none' },
    axisPointer: {
      show: true,
      snap: true,
      lineStyle: { color: palette.dim, type: 'dashed' },
      label: {
        backgroundColor: palette.text,
        color: palette.surface,
        formatter: ({ value, axisDimension }: { value: number | string; axisDimension: string }) =>
          (axisDimension === 'x' ? nameTime : namePrice)(Number(value)),
      },
    },
    xAxis: {
      ...(isTicks
        ? {
            type: 'category',
            data: ticks.map((_, position) => position),
            axisLabel: { color: palette.dim, formatter: nameTime },
          }
        : {
            type: 'time',
            min: axis.startMs,
            max: axis.endMs,
            axisLabel: { color: palette.dim, formatter: TIME_LABELS, hideOverlap: true, alignMinLabel: 'left' },
          }),
      axisLine: { lineStyle: { color: palette.line } },
      axisTick: { show: false },
      splitLine: { show: false },
    },
    yAxis: [
      {
        position: 'right',
        scale: true,
        boundaryGap: [`${(VOLUME_PART / (1 - VOLUME_PART)) * 100}%`, '10%'],
        splitLine: { lineStyle: { color: palette.line, opacity: 0.55 } },
        axisLabel: { color: palette.dim, formatter: namePrice },
      },
      {
        show: false,
        min: 0,
        max: ({ max }: { max: number }) => (max || 1) / VOLUME_PART,
        axisPointer: { show: false },
      },
    ],
    // Do not handle vertical swipes, because they scroll the page.
    dataZoom: {
      type: 'inside',
      disabled: isTicks,
      minValueSpan: SPAN_MIN * axis.widthMs,
      preventDefaultMouseMove: false,
    },
    series: isTicks
      ? [tickSeries(input)]
      : [priceSeries(input), volumeSeries(input, 'up'), volumeSeries(input, 'down'), markersSeries(input)],
  }
}

function priceSeries({ slots, view, palette }: ChartOptionInput) {
  if (view === 'line') {
    return {
      id: 'line',
      type: 'line',
      silent: true,
      showSymbol: false,
      lineStyle: { color: palette.own, width: 2.5 },
      areaStyle: { color: palette.own, opacity: 0.14, origin: 'start' },
      data: slots.map(({ timeMs, candle }) => [timeMs, toPlotPrice(candle.close)]),
    }
  }
  return {
    id: 'candles',
    type: 'candlestick',
    silent: true,
    barMaxWidth: CANDLE_WIDTH_MAX,
    largeThreshold: STROKES_FROM,
    itemStyle: {
      color: palette.up,
      color0: palette.down,
      borderColor: palette.up,
      borderColor0: palette.down,
      borderColorDoji: palette.dim,
    },
    data: slots.map(({ timeMs, candle: { open, close, low, high } }) => [
      timeMs,
      ...[open, close, low, high].map(toPlotPrice),
    ]),
  }
}

/** Use one series per colour, because ECharts can then draw all of its bars at once. */
function volumeSeries({ slots, palette }: ChartOptionInput, side: 'up' | 'down') {
  return {
    id: `volume ${side}`,
    type: 'bar',
    yAxisIndex: 1,
    silent: true,
    barMaxWidth: CANDLE_WIDTH_MAX,
    barGap: '-100%',
    large: true,
    largeThreshold: STROKES_FROM,
    itemStyle: { color: palette[side], opacity: 0.45 },
    data: slots.map(({ timeMs, candle: { open, close, volume } }) => {
      const isDown = Number(close) < Number(open)
      return [timeMs, isDown === (side === 'down') ? Number(volume) : 0]
    }),
  }
}

function tickSeries({ ticks, trades, palette }: ChartOptionInput) {
  const owners = new Map(trades.map(({ seq, who }) => [seq, who]))
  return {
    id: 'ticks',
    type: 'line',
    step: 'end',
    // Show a symbol at every point, because ECharts otherwise shows one only at points with an axis label.
    showAllSymbol: true,
    lineStyle: { color: palette.dim, width: 1.5 },
    data: ticks.map(({ seq, price, side }) => {
      const who = owners.get(seq)
      const border = who && { borderColor: palette[who], borderWidth: 2.5 }
      return {
        value: toPlotPrice(price),
        symbol: 'triangle',
        symbolRotate: side === 'buy' ? 0 : 180,
        symbolSize: who === undefined ? 9 : 14,
        itemStyle: { color: palette[side === 'buy' ? 'up' : 'down'], ...border },
      }
    }),
  }
}

/** Returns what is drawn over the prices: the player's price lines, trade markers, and the time of a post. */
function markersSeries({ lines, last, markers, isLettered, post, palette }: ChartOptionInput) {
  const line = (at: { xAxis: number } | { yAxis: number }, color: string, type = 'dashed') => ({
    ...at,
    lineStyle: { color, type, width: 1.5 },
  })
  const own = new Set(markers.filter(({ who }) => who === 'own').map(({ slot, side }) => `${slot.timeMs} ${side}`))
  const isSecond = ({ who, slot, side }: TradeMarker) => who === 'creator' && own.has(`${slot.timeMs} ${side}`)
  const written = post?.price == null ? [] : [{ xAxis: Date.parse(post.createdAt), yAxis: toPlotPrice(post.price) }]
  return {
    id: 'markers',
    type: 'line',
    data: [],
    markLine: {
      silent: true,
      symbol: 'none',
      precision: 9,
      label: { show: false },
      data: [
        ...lines.map(({ value }) => line({ yAxis: value }, palette.own)),
        ...(last === null ? [] : [line({ yAxis: last.value }, palette[last.isDown ? 'down' : 'up'], 'dotted')]),
        ...written.map(({ xAxis }) => line({ xAxis }, palette.dim)),
      ],
    },
    markPoint: {
      silent: true,
      data: [
        ...markers.map((mark) => markPoint(mark, { isLettered, isSecond: isSecond(mark), palette })),
        ...written.map(({ xAxis, yAxis }) => ({
          coord: [xAxis, yAxis],
          symbol: 'circle',
          symbolSize: 26,
          itemStyle: { color: palette.surface, borderColor: palette.own, borderWidth: 2 },
          label: { formatter: '💬', fontSize: 13 },
        })),
      ],
    },
  }
}

interface MarkLook {
  readonly isLettered: boolean
  /** Whether the marker is drawn farther out, beyond a marker of the player's own trades. */
  readonly isSecond: boolean
  readonly palette: Palette
}

/** Mark buys below the candle, and sales above it. */
function markPoint({ slot, side, who, count }: TradeMarker, { isLettered, isSecond, palette }: MarkLook) {
  const { size, away } = isLettered ? { size: 16, away: 14 } : { size: 8, away: 8 }
  const text = `${side === 'buy' ? 'B' : 'S'}${count === 1 ? '' : count > 99 ? '99+' : count}`
  const down = (side === 'buy' ? 1 : -1) * (away + (isSecond ? size : 0))
  return {
    coord: [slot.timeMs, toPlotPrice(side === 'buy' ? slot.candle.low : slot.candle.high)],
    symbol: who === 'creator' ? 'diamond' : isLettered && count > 1 ? 'roundRect' : 'circle',
    symbolSize: [isLettered ? size + 6 * (text.length - 1) : size, size],
    symbolOffset: [0, down],
    // Draw a dark edge, because the light colour scheme needs it.
    itemStyle: { color: palette[who], borderColor: palette[`${who}Ink`], borderWidth: 1 },
    label: { show: isLettered, formatter: text, color: palette[`${who}Ink`], fontSize: 9, fontWeight: 800 },
  }
}

/** The chart's colours by their use, and its font. */
export type Palette = Readonly<Record<keyof typeof COLORS | 'font', string>>

/** The colour variables of the page that the chart uses. */
export const COLORS = {
  up: 'up',
  down: 'down',
  text: 'text',
  dim: 'dim',
  line: 'line',
  surface: 'surface',
  own: 'moon',
  ownInk: 'moon-ink',
  creator: 'success',
  creatorInk: 'surface',
} as const
