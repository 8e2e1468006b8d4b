import type { MarketEvent } from '@papermoon/contract/market-events'
import type { PatchResult } from '@papermoon/live'

/**
 * Returns a function that applies events one after another to a cached value. The function stops if an event lacks
 * data.
 */
export function patchEach<T>(patch: (value: T, event: MarketEvent) => PatchResult<T>) {
  return (value: T, events: readonly MarketEvent[]): PatchResult<T> => {
    let data = value
    for (const event of events) {
      const patched = patch(data, event)
      if (patched.stale) return patched
      data = patched.data
    }
    return { data, stale: false }
  }
}
