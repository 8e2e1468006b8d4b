import type { Timers } from '@papermoon/engine'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { registerGauge } from '../lib/gauge.ts'
import { getTime } from './journal.ts'
import type { LiveFeed, Published } from './live-feed.ts'

const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS = 1_000

/** How events reach the feed, if not by the journal poll. */
type EventSource = 'engine' | 'redis'

/** Publishes events to the feed and records their delay. */
type MeasuredPublish = (source: EventSource) => (published: Published) => void

/** Registers metrics about how far this node's live feed is behind the market. */
export function createFeedMetrics(
  registry: Registry,
  { feed, timers }: { readonly feed: LiveFeed; readonly timers: Timers },
): MeasuredPublish {
  const delays = new Histogram({
    name: 'papermoon_feed_delay_seconds',
    help: 'Age of the last event of a batch when the live feed got it, by the clocks of both nodes.',
    labelNames: ['source'] as const,
    buckets: DELAYS,
    registers: [registry],
  })
  const gaps = 'Committed positions whose events cannot be delivered before earlier ones are read from the journal.'
  registerGauge(registry, 'papermoon_feed_gaps', gaps, () => feed.newest - feed.position)
  const age = 'Time since the live feed last had everything; a second or two while all is well.'
  registerGauge(registry, 'papermoon_feed_settled_age_seconds', age, () => (timers.monotonic() - feed.completeMs) / MS)
  return (source) => {
    const labels = { source }
    return (published) => {
      feed.publish(published)
      const last = published.events?.at(-1)?.event
      if (last !== undefined) delays.observe(labels, Math.max(0, Date.now() - Date.parse(getTime(last))) / MS)
    }
  }
}

export interface StreamMetrics {
  /** Open connections to `/api/events`. */
  readonly listeners: Gauge
  /** Number of events that listeners received from the journal. */
  readonly replayed: Counter
  /** Number of listeners that were disconnected because they read too slowly. */
  readonly cutOff: Counter
}

export function createStreamMetrics(registry: Registry): StreamMetrics {
  const registers = [registry]
  return {
    listeners: new Gauge({ name: 'papermoon_event_listeners', help: 'Open connections of /api/events.', registers }),
    replayed: new Counter({
      name: 'papermoon_events_replayed_total',
      help: 'Events that listeners got from the journal.',
      registers,
    }),
    cutOff: new Counter({
      name: 'papermoon_event_listeners_cut_off_total',
      help: 'Listeners that were cut off because they read too slowly.',
      registers,
    }),
  }
}
