import type { MarketEvent } from '@papermoon/engine'

const texts = new WeakMap<MarketEvent, string>()

/** An event as JSON, written once for all who hear of it. */
export function toEventJson(event: MarketEvent): string {
  const kept = texts.get(event)
  if (kept !== undefined) return kept
  const text = JSON.stringify(event)
  texts.set(event, text)
  return text
}
