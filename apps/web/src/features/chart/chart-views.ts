import { toOptions } from '../../components/form/segmented.tsx'
import type { Timeframe } from '../../lib/api/api.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import { readStored, store } from '../../lib/ui/stored.ts'

export type View = 'candles' | 'line' | 'ticks'

export const VIEWS = toOptions<View>({ candles: 'Candles', line: 'Line', ticks: 'Ticks' })
export const TIMEFRAMES = toOptions<Timeframe>({ '1H': '1H', '24H': '24H', '7D': '7D', ALL: 'ALL' })
export const UNITS = toOptions<ValueUnit>({ price: 'Price', cap: 'Market cap' })

/** Length of each timeframe, in ms. */
export const SPAN_MS: Readonly<Record<Timeframe, number>> = {
  '1H': 3_600_000,
  '24H': 86_400_000,
  '7D': 604_800_000,
  ALL: Number.POSITIVE_INFINITY,
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
