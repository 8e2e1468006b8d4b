import type { DatabaseClient } from '@papermoon/db'
import {
  type Clock,
  createTradingEngine,
  DomainError,
  type EngineLimits,
  type EngineObserver,
  type OwnEngine,
  paceReceipts,
  type Timers,
  type TradingEngine,
} from '@papermoon/engine'
import type { Logger } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'
import { Memory } from './cache/memory.ts'
import { QueryCache } from './cache/query-cache.ts'
import type { Live, Market } from './context.ts'
import { type StreamEvent, toPlacedOrder } from './events/journal.ts'
import { JournalReader } from './events/journal-reader.ts'
import type { LiveFeed, Published } from './events/live-feed.ts'
import type { RedisRelay } from './events/redis-relay.ts'
import { startLiveFeed } from './events/start-live-feed.ts'
import type { CursorMarket } from './events/stream/event-text.ts'
import { createStreamMetrics } from './events/stream/live-subscription.ts'
import { registerGauge } from './lib/gauge.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const ORDERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

interface MarketParts {
  readonly database: Pick<DatabaseClient, 'db' | 'pool'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly registry: Registry
  readonly engineLimits?: EngineLimits | undefined
  readonly hasDemoWorld: boolean
  readonly cursorMarket: CursorMarket
  /** The connection to other nodes; null if Redis is not configured. */
  readonly relay: RedisRelay | null
}

/** An engine with its market's live feed, caches and journal. */
interface StartedMarket {
  readonly market: Market
  readonly live: Omit<Live, 'notices'>
  readonly engine: TradingEngine
  readonly own: OwnEngine
  stop(): Promise<void>
}

/** Starts trading on the tables of a database connection: those of the fairground, or those of all other fairs. */
export async function startMarket(parts: MarketParts): Promise<StartedMarket> {
  const { database, clock, timers, log, registry, hasDemoWorld, cursorMarket, relay } = parts
  const { db } = database
  const { feed, stream, history, stop } = await startLiveFeed({ db, timers, log, hasDemoWorld, cursorMarket })
  const publishFrom = createFeedMetrics(registry, { feed, timers })
  const publishOwn = publishFrom('engine')
  const own: OwnEngine = createTradingEngine({
    pool: database.pool,
    clock,
    timers,
    log,
    publish: ({ after, through, events, waiting }) => {
      publishOwn({ after, through, events: [...waiting.map(toPlacedOrder), ...events] })
      // Do not send events of orders to other nodes, because only the orders' players may see them. Other nodes read
      // events of orders from the journal.
      relay?.publish({ market: cursorMarket, after, through, events: waiting.length === 0 ? events : null })
    },
    observer: createEngineMetrics(registry, { waiting: () => own.waiting }),
    limits: parts.engineLimits,
  })
  relay?.onReceived(cursorMarket, publishFrom('redis'))
  const engine = paceReceipts(own)
  return {
    market: { engine, history, queryCache: new QueryCache({ feed, clock }), memory: new Memory(timers) },
    live: {
      feed,
      stream,
      journal: new JournalReader({ db, feed }),
      streamMetrics: createStreamMetrics(registry),
    },
    engine,
    own,
    stop,
  }
}

function createEngineMetrics(registry: Registry, engine: { readonly waiting: () => number }): EngineObserver {
  const registers = [registry]
  const orders = new Counter({
    name: 'papermoon_engine_orders_total',
    help: 'Orders that the engine of this node answered: done, or the code of what prevented it.',
    labelNames: ['outcome'] as const,
    registers,
  })
  for (const outcome of ['done', 'BUSY', 'OUTCOME_UNKNOWN']) orders.inc({ outcome }, 0)
  const batches = new Counter({
    name: 'papermoon_engine_batches_total',
    help: 'Batches of orders, by how they ran: optimistic, or under locks after a conflict.',
    labelNames: ['mode'] as const,
    registers,
  })
  for (const mode of ['optimistic', 'locked']) batches.inc({ mode }, 0)
  const histogram = (name: string, help: string, buckets: number[]) => new Histogram({ name, help, buckets, registers })
  const sizes = histogram('papermoon_engine_batch_orders', 'Orders in a batch.', ORDERS)
  const queues = histogram(
    'papermoon_engine_queue_seconds',
    'Longest wait of an order of a batch in the queue.',
    SECONDS,
  )
  const commits = histogram(
    'papermoon_engine_commit_seconds',
    'Time for PostgreSQL to write and commit a batch.',
    SECONDS,
  )
  registerGauge(registry, 'papermoon_engine_waiting_orders', 'Orders that wait for a batch.', engine.waiting)
  return {
    onBatch: ({ mode, orders: size, refused, queueSeconds, commitSeconds }) => {
      batches.inc({ mode })
      sizes.observe(size)
      queues.observe(queueSeconds)
      if (commitSeconds !== null) commits.observe(commitSeconds)
      if (size > refused) orders.inc({ outcome: 'done' }, size - refused)
    },
    onRejected: (error) => orders.inc({ outcome: error instanceof DomainError ? error.code : 'FAILED' }),
  }
}

const DELAYS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const MS = 1_000

/** The ways by which events reach the feed, apart from polling the journal. */
type EventSource = 'engine' | 'redis'

/** Publishes events to the feed and records their delay. */
type MeasuredPublish = (source: EventSource) => (published: Published) => void

/** Registers metrics about how far this node's live feed is behind the market. */
function createFeedMetrics(
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

/** Returns the time of an event. */
export function getTime(event: StreamEvent): string {
  if (event.type === 'order') return event.order.endedAt ?? event.order.placedAt
  return event.type === 'trade' ? event.trade.createdAt : event.createdAt
}
