import type { MarketEvent } from '@papermoon/engine'

const jsonTexts = new WeakMap<MarketEvent, string>()

/** An event as JSON, serialized once for all subscribers. */
export function toEventJson(event: MarketEvent): string {
  const cached = jsonTexts.get(event)
  if (cached !== undefined) return cached
  const text = JSON.stringify(event)
  jsonTexts.set(event, text)
  return text
}
