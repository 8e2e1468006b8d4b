import { readStored, store } from '../../../lib/ui/stored.ts'

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
