import { useMemo, useState } from 'react'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import type { Slot } from './data/candle-window.ts'
import { axisLabel } from './data/chart-views.ts'
import { type ChartWindow, findVisible, type VisibleSlots } from './data/chart-window.ts'
import { toColumns } from './data/columns.ts'
import { type ShownMarks, useShownMarks } from './data/shown-marks.ts'
import { type Mark, markedSeqs, type Trader, toMarks } from './data/trade-marks.ts'
import type { ChartData } from './data/use-chart-data.ts'
import { findLastPrice, type LastPrice } from './echarts/last-price.ts'
import { countColumns, guessSize, layOut, type Plot, type Size, toPlotPrice } from './echarts/plot-layout.ts'

export interface DrawnChart {
  readonly plot: Plot
  /** Columns of one candle, or of several merged ones. */
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly marks: readonly Mark[]
  /** The owner of each marked trade, by `seq`. */
  readonly marked: ReadonlyMap<number, Trader>
  readonly last: LastPrice | null
  readonly visible: VisibleSlots
}

export interface ChartZoom {
  /** Null shows everything and follows the latest candle. */
  readonly window: ChartWindow | null
  readonly setWindow: (window: ChartWindow | null) => void
}

/**
 * The visible part of a chart, laid out for the size of its plot; a size of null is laid out as if empty, with the columns
 * that it will probably have.
 */
export function useDrawnChart(data: ChartData, size: Size | null, unit: ValueUnit): DrawnChart & ChartZoom {
  const { slots, widthMs, range, trades, traders } = data
  const [window, setWindow] = useState<ChartWindow | null>(null)
  const shown = useShownMarks()
  const last = useMemo(() => findLastPrice(slots), [slots])
  const room = toRoom(range, last, unit)
  const labels = useMemo(() => room.split('\n'), [room])
  const plot = useMemo(() => layOut(size ?? EMPTY, labels), [size, labels])
  const visible = useMemo(() => findVisible(slots, widthMs, window), [slots, widthMs, window])
  const count = countColumns(size === null ? layOut(guessSize(windowWidth()), labels) : plot)
  const columns = useMemo(() => toColumns(visible, count), [visible, count])
  const visibleTraders = useMemo(() => hideTraders(traders, shown), [traders, shown])
  const marks = useMemo(() => toMarks(trades, columns, visibleTraders), [trades, columns, visibleTraders])
  const marked = useMemo(() => markedSeqs(trades, visibleTraders), [trades, visibleTraders])
  return { plot, ...columns, marks, marked, last, visible, window, setWindow }
}

const EMPTY: Size = { width: 0, height: 0 }

/** Unlike the inner width this forces no layout. Where it is unknown, windows are as wide as the screen. */
function windowWidth(): number {
  return outerWidth || screen.width
}

/** An id that no player has. */
const NOBODY = 0

function hideTraders({ ownId, creatorId }: ChartData['traders'], shown: ShownMarks): ChartData['traders'] {
  // A hidden creator's trades stay their own when the player is the creator.
  return { ownId: shown.own ? ownId : null, creatorId: shown.creator && creatorId !== ownId ? creatorId : NOBODY }
}

/** The longest labels that the value axis may have, as one text: it changes less often than the prices. */
function toRoom({ high, low }: ChartData['range'], last: LastPrice | null, unit: ValueUnit): string {
  const values = [high, low].flatMap((price) => (price === null ? [] : [toPlotPrice(price)]))
  return [...values, ...(last === null ? [] : [last.value])]
    .map((value) => axisLabel(value, unit, value / 1_000))
    .join('\n')
}
