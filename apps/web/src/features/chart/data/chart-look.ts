import { readStored, store } from '../../../lib/ui/stored.ts'
import type { Trader } from './trade-marks.ts'

/** What was chosen above the chart, kept on the device: the range or the way it is drawn. */
type Look = 'timeframe' | 'view'

const toKey = (look: Look) => `papermoon-chart-${look}`

/** The kept one of `options`; `fallback` without one. */
export function readLook<T extends string>(look: Look, options: readonly { readonly value: T }[], fallback: T): T {
  const kept = readStored(toKey(look))
  return options.find(({ value }) => value === kept)?.value ?? fallback
}

export function keepLook(look: Look, value: string): void {
  store(toKey(look), value)
}

const HIDDEN_KEY = 'papermoon-hidden-marks'

/** Whose trades the charts do not mark, kept on the device; by default nobody's. */
export function readHidden(): Trader[] {
  const hidden = (readStored(HIDDEN_KEY) ?? '').split(' ')
  return (['own', 'creator'] as const).filter((who) => hidden.includes(who))
}

export function keepHidden(hidden: readonly Trader[]): void {
  store(HIDDEN_KEY, hidden.length === 0 ? null : hidden.join(' '))
}
