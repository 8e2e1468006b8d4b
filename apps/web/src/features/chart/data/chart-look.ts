import { readStored, store } from '../../../lib/ui/stored.ts'
import type { Trader } from './trade-markers.ts'

/** Returns the timeframe or chart type that the visitor chose. This browser stores the choice. */
type Look = 'timeframe' | 'view'

const toKey = (look: Look) => `papermoon-chart-${look}`

/** The kept one of `options`; `fallback` without one. */
export function readLook<T extends string>(look: Look, options: readonly { readonly value: T }[], fallback: T): T {
  const kept = readStored(toKey(look))
  return options.find(({ value }) => value === kept)?.value ?? fallback
}

export function storeLook(look: Look, value: string): void {
  store(toKey(look), value)
}

const HIDDEN_KEY = 'papermoon-hidden-marks'

/** Returns the players whose trades the charts do not mark. This browser stores the choice. Default: nobody. */
export function readHidden(): Trader[] {
  const hidden = (readStored(HIDDEN_KEY) ?? '').split(' ')
  return (['own', 'creator'] as const).filter((who) => hidden.includes(who))
}

export function storeHidden(hidden: readonly Trader[]): void {
  store(HIDDEN_KEY, hidden.length === 0 ? null : hidden.join(' '))
}
