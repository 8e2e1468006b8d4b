/** What was chosen above the chart, kept on the device: the range or the way it is drawn. */
type Look = 'timeframe' | 'view'

const toKey = (look: Look) => `papermoon-chart-${look}`

/** The kept one of `options`; `fallback` without one. */
export function readLook<T extends string>(look: Look, options: readonly { readonly value: T }[], fallback: T): T {
  try {
    const kept = localStorage.getItem(toKey(look))
    return options.find(({ value }) => value === kept)?.value ?? fallback
  } catch {
    return fallback
  }
}

export function keepLook(look: Look, value: string): void {
  try {
    localStorage.setItem(toKey(look), value)
  } catch {
    // Storage is blocked: applies to this page only.
  }
}
