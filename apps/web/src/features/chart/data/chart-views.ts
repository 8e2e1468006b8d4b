import { formatMarketCap, priceLabel } from '../../../lib/format/format.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { toPrice } from '../echarts/plot-number.ts'
import type { Slot } from './candle-window.ts'

/** How the chart is drawn. */
export type View = 'candles' | 'line' | 'ticks'

export const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'candles', label: 'Candles' },
  { value: 'line', label: 'Line' },
  { value: 'ticks', label: 'Ticks' },
]

export const UNITS: readonly { value: ValueUnit; label: string }[] = [
  { value: 'price', label: 'Price' },
  { value: 'cap', label: 'Market cap' },
]

/** Formats a plot number for the value axis. */
export function axisLabel(plotted: number, unit: ValueUnit): string {
  // The margin below the lowest candle may reach below zero; do not label it.
  if (plotted < 0) return ''
  return unit === 'price' ? priceLabel(toPrice(plotted)) : formatMarketCap(plotted.toFixed(9))
}

/** Formats a time for the time axis: the day if the chart spans more than one, else the minute. */
export function timeLabel(timeMs: number, spanMs: number): string {
  return spanMs > DAY_MS * 1.5 ? formatDay(timeMs) : formatMinute(timeMs)
}

/** Length of the time axis, ms. */
export function computeSpan(slots: readonly Slot[]): number {
  return (slots.at(-1)?.timeMs ?? 0) - (slots[0]?.timeMs ?? 0)
}

/** Formats the time shown next to a slot's exact values. */
export function placeTime(timeMs: number): string {
  return formatPlaceTime(timeMs)
}

const DAY_MS = 86_400_000
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const formatDay = createFormat({ month: 'short', day: 'numeric' })
const formatMinute = createFormat(CLOCK)
const formatPlaceTime = createFormat({ month: 'short', day: 'numeric', ...CLOCK })

/** Created lazily and once: creating an `Intl.DateTimeFormat` takes far longer than using it. */
function createFormat(options: Intl.DateTimeFormatOptions): (timeMs: number) => string {
  let format: Intl.DateTimeFormat | null = null
  return (timeMs) => {
    format ??= new Intl.DateTimeFormat('en', options)
    return format.format(timeMs)
  }
}
