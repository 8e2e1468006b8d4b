import type { MarketEvent } from '@papermoon/engine'

const cursors = new WeakMap<MarketEvent, string>()

/** Notes where a subscriber resumes who has been sent an event and all before it; the first note stays. */
export function noteCursor(event: MarketEvent, cursor: string): void {
  if (!cursors.has(event)) cursors.set(event, cursor)
}

export function findCursor(event: MarketEvent): string | undefined {
  return cursors.get(event)
}
