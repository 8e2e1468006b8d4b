import type { MarketEvent } from '@papermoon/engine'
import { Histogram, type Registry } from 'prom-client'
import { registerGauge } from '../lib/gauge.ts'
import type { LiveFeed } from './live-feed.ts'
import type { EventStream } from './stream/event-stream.ts'

const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS = 1_000

/** Where events come from before the journal is polled. */
export type EventSource = 'engine' | 'redis'

/** Passes events on to the feed and notes how late they are. */
export type NotedPublish = (source: EventSource) => (events: readonly MarketEvent[]) => void

/** Metrics of how far the live feed of this node is behind the market. */
export function createFeedMetrics(
  registry: Registry,
  { feed, stream }: { readonly feed: LiveFeed; readonly stream: EventStream },
): NotedPublish {
  const delays = new Histogram({
    name: 'papermoon_feed_delay_seconds',
    help: 'Age of the last event of a batch when the live feed got it, by the clocks of both nodes.',
    labelNames: ['source'] as const,
    buckets: DELAYS,
    registers: [registry],
  })
  const gaps = 'Tokens with events that arrived and cannot be delivered before others are read from the journal.'
  registerGauge(registry, 'papermoon_feed_gaps', gaps, () => feed.gaps)
  const age =
    'Time since the live feed last held everything up to a place of the journal; a second or two while all is well.'
  registerGauge(registry, 'papermoon_feed_settled_age_seconds', age, () => stream.settledAgeSeconds)
  return (source) => {
    const labels = { source }
    return (events) => {
      feed.publish(events)
      const last = events.at(-1)
      if (last !== undefined) delays.observe(labels, Math.max(0, Date.now() - readTimeMs(last)) / MS)
    }
  }
}

function readTimeMs(event: MarketEvent): number {
  return Date.parse(event.type === 'trade' ? event.trade.createdAt : event.createdAt)
}
