import { formatMarketCap, priceLabel } from '../../../lib/format/format.ts'
import { priceOfPlot } from '../echarts/plot-number.ts'
import type { Slot } from './candle-window.ts'

/** How the chart is drawn. */
export type View = 'candles' | 'line' | 'ticks'
/** What its axis tells. */
export type Unit = 'price' | 'cap'

export const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'candles', label: 'Candles' },
  { value: 'line', label: 'Line' },
  { value: 'ticks', label: 'Ticks' },
]

export const UNITS: readonly { value: Unit; label: string }[] = [
  { value: 'price', label: 'Price' },
  { value: 'cap', label: 'Market cap' },
]

/** A number of the canvas as its axis says it. */
export function axisLabel(plotted: number, unit: Unit): string {
  // The room under the lowest candle may reach below zero, where no price is.
  if (plotted < 0) return ''
  return unit === 'price' ? priceLabel(priceOfPlot(plotted)) : formatMarketCap(plotted.toFixed(9))
}

/** A time on the axis: the day where the chart spans more than one, the minute otherwise. */
export function timeLabel(timeMs: number, spanMs: number): string {
  return spanMs > DAY_MS * 1.5 ? formatDay(timeMs) : formatMinute(timeMs)
}

/** How long the time axis is, in ms. */
export function computeSpan(slots: readonly Slot[]): number {
  return (slots.at(-1)?.timeMs ?? 0) - (slots[0]?.timeMs ?? 0)
}

/** A time as it stands beside the exact values of a place. */
export function placeTime(timeMs: number): string {
  return formatPlaceTime(timeMs)
}

const DAY_MS = 86_400_000
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const formatDay = createFormat({ month: 'short', day: 'numeric' })
const formatMinute = createFormat(CLOCK)
const formatPlaceTime = createFormat({ month: 'short', day: 'numeric', ...CLOCK })

/** Made once and when it is needed: making a format takes far longer than writing with it. */
function createFormat(options: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  let format: Intl.DateTimeFormat | null = null
  return (timeMs) => {
    format ??= new Intl.DateTimeFormat('en', options)
    return format.format(timeMs)
  }
}
