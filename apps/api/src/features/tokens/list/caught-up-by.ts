import type { MarketEvent, Patched } from '@papermoon/live'

/** Catches a reading up by patching it with one event after another, until one does not tell enough. */
export function caughtUpBy<T>(patch: (value: T, event: MarketEvent) => Patched<T>) {
  return (value: T, events: readonly MarketEvent[]): Patched<T> => {
    let data = value
    for (const event of events) {
      const patched = patch(data, event)
      if (patched.stale) return patched
      data = patched.data
    }
    return { data, stale: false }
  }
}
