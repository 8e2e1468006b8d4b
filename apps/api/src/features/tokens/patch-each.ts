import type { MarketEvent, PatchResult } from '@papermoon/live'

/** Catches a reading up by patching it with one event after another, until one does not tell enough. */
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
