import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { formatMarketCap, priceLabel } from '@papermoon/format'
import { toOptions } from '../../../components/form/segmented.tsx'
import type { Timeframe } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { readStored, store } from '../../../lib/ui/stored.ts'
import { type Trader, toPrice } from './slots.ts'

export type View = 'candles' | 'line' | 'ticks'

export const VIEWS = toOptions<View>({ candles: 'Candles', line: 'Line', ticks: 'Ticks' })
export const TIMEFRAMES = toOptions<Timeframe>({ '1H': '1H', '24H': '24H', '7D': '7D', ALL: 'ALL' })
export const UNITS = toOptions<ValueUnit>({ price: 'Price', cap: 'Market cap' })

/** Space around the plot in px. The value axis is in the right margin. */
export const GRID = { top: 14, right: 84, bottom: 26, left: 10 } as const

/** Formats lamports per token for the value axis. */
export function axisLabel(plotted: number, unit: ValueUnit): string {
  // Show no label below zero, although the axis can reach below zero under the lowest candle.
  if (plotted < 0) return ''
  return unit === 'price' ? priceLabel(toPrice(plotted)) : capLabel(plotted)
}

/** Matches suffixes for thousands, millions and billions of dollars, as in `formatMarketCap`. */
const SUFFIX = /[KMB]$/
/** Max number of significant digits of a market cap. Fewer digits could make neighbouring labels equal. */
const CAP_DIGITS = 4

function capLabel(plotted: number): string {
  const text = formatMarketCap(plotted.toFixed(9))
  const suffix = SUFFIX.exec(text)?.[0]
  if (suffix === undefined) return text
  const unitUsd = { K: 1e3, M: 1e6, B: 1e9 }[suffix] ?? 1
  return `$${Number(((plotted * USD_PER_SOL_WHOLE) / unitUsd).toPrecision(CAP_DIGITS))}${suffix}`
}

const MINUTE_MS = 60_000
// Do not use `Intl`, because its first use delays a page's start by more than 10 ms.
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** Formats a slot's time, with seconds if candles are shorter than a minute. */
export function formatSlotTime(timeMs: number, widthMs = MINUTE_MS): string {
  const date = new Date(timeMs)
  const parts = [date.getHours(), date.getMinutes(), ...(widthMs < MINUTE_MS ? [date.getSeconds()] : [])]
  const clock = parts.map((part) => String(part).padStart(2, '0')).join(':')
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${clock}`
}

/** A choice of the visitor that this browser stores: the timeframe or the chart type. */
type Look = 'timeframe' | 'view'

const toKey = (look: Look) => `papermoon-chart-${look}`

/** Returns the stored choice if it is one of `options`, otherwise `fallback`. */
export function readLook<T extends string>(look: Look, options: readonly { readonly value: T }[], fallback: T): T {
  const kept = readStored(toKey(look))
  return options.find(({ value }) => value === kept)?.value ?? fallback
}

export function storeLook(look: Look, value: string): void {
  store(toKey(look), value)
}

const HIDDEN_KEY = 'papermoon-hidden-marks'

/**
 * Returns the players whose trades the charts do not mark. This browser stores the choice. By default, the charts mark
 * the trades of both the player and the creator.
 */
export function readHidden(): Trader[] {
  const hidden = (readStored(HIDDEN_KEY) ?? '').split(' ')
  return (['own', 'creator'] as const).filter((who) => hidden.includes(who))
}

export function storeHidden(hidden: readonly Trader[]): void {
  store(HIDDEN_KEY, hidden.length === 0 ? null : hidden.join(' '))
}
