import { USD_PER_SOL_WHOLE } from '@papermoon/amm/usd-per-sol'
import { formatMarketCap, priceLabel } from '@papermoon/format'
import { toOptions } from '../../../components/form/segmented.tsx'
import type { Timeframe } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { toPrice } from '../echarts/plot-layout.ts'

export type View = 'candles' | 'line' | 'ticks'

export const VIEWS = toOptions<View>({ candles: 'Candles', line: 'Line', ticks: 'Ticks' })
export const TIMEFRAMES = toOptions<Timeframe>({ '1H': '1H', '24H': '24H', '7D': '7D', ALL: 'ALL' })
export const UNITS = toOptions<ValueUnit>({ price: 'Price', cap: 'Market cap' })

/** Max cached labels: a moving chart draws most of them again in the next frame. */
const KEPT_MAX = 500
const kept = new Map<string, string>()

/** Formats a plot number for the value axis. Market caps get enough decimals for labels `step` apart to differ. */
export function axisLabel(plotted: number, unit: ValueUnit, step?: number): string {
  // The margin below the lowest candle may reach below zero; do not label it.
  if (plotted < 0) return ''
  const key = `${plotted} ${unit} ${step}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const label = unit === 'price' ? priceLabel(toPrice(plotted)) : capLabel(plotted, step)
  if (kept.size === KEPT_MAX) kept.clear()
  kept.set(key, label)
  return label
}

/** Suffix of thousands, millions or billions of dollars, as in `formatMarketCap`. */
const SUFFIX = /[KMB]$/
const DIGITS_MAX = 4

/** Formats a market cap so that neighbours on the axis differ, with at least the decimals of `formatMarketCap`. */
function capLabel(plotted: number, step?: number): string {
  const text = formatMarketCap(plotted.toFixed(9))
  const suffix = SUFFIX.exec(text)?.[0]
  if (step === undefined || suffix === undefined) return text
  const usd = plotted * USD_PER_SOL_WHOLE
  const unitUsd = { K: 1e3, M: 1e6, B: 1e9 }[suffix] ?? 1
  const digits = Math.min(Math.max(Math.ceil(-Math.log10((step * USD_PER_SOL_WHOLE) / unitUsd) - 1e-9), 1), DIGITS_MAX)
  return digits === 1 ? text : `$${(usd / unitUsd).toFixed(digits)}${suffix}`
}
