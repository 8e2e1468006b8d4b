import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { formatMarketCap, priceLabel } from '@papermoon/format'
import { toOptions } from '../../../components/form/segmented.tsx'
import type { Timeframe } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { toPrice } from './slots.ts'

export type View = 'candles' | 'line' | 'ticks'

export const VIEWS = toOptions<View>({ candles: 'Candles', line: 'Line', ticks: 'Ticks' })
export const TIMEFRAMES = toOptions<Timeframe>({ '1H': '1H', '24H': '24H', '7D': '7D', ALL: 'ALL' })
export const UNITS = toOptions<ValueUnit>({ price: 'Price', cap: 'Market cap' })

/** Pixels around the plot; the axis of values is in the right one. */
export const GRID = { top: 14, right: 84, bottom: 26, left: 10 } as const

/** Formats a plot number for the value axis. */
export function axisLabel(plotted: number, unit: ValueUnit): string {
  // The margin below the lowest candle may reach below zero; do not label it.
  if (plotted < 0) return ''
  return unit === 'price' ? priceLabel(toPrice(plotted)) : capLabel(plotted)
}

/** Suffix of thousands, millions or billions of dollars, as in `formatMarketCap`. */
const SUFFIX = /[KMB]$/
/** Max significant digits of a market cap, so that neighbours on the axis differ. */
const CAP_DIGITS = 4

function capLabel(plotted: number): string {
  const text = formatMarketCap(plotted.toFixed(9))
  const suffix = SUFFIX.exec(text)?.[0]
  if (suffix === undefined) return text
  const unitUsd = { K: 1e3, M: 1e6, B: 1e9 }[suffix] ?? 1
  return `$${Number(((plotted * USD_PER_SOL_WHOLE) / unitUsd).toPrecision(CAP_DIGITS))}${suffix}`
}

const MINUTE_MS = 60_000
// Without `Intl`, whose first use takes more than 10 ms of a page's start.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Formats the time shown next to a slot's exact values; with seconds for candles narrower than a minute. */
export function formatSlotTime(timeMs: number, widthMs = MINUTE_MS): string {
  const date = new Date(timeMs)
  const parts = [date.getHours(), date.getMinutes(), ...(widthMs < MINUTE_MS ? [date.getSeconds()] : [])]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${clock}`
}
