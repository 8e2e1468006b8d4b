import type { DatabaseClient } from '@papermoon/db'
import {
  type Clock,
  createTradingEngine,
  type EngineLimits,
  type MarketEvent,
  type OwnEngine,
  paceReceipts,
  type Timers,
  type TradingEngine,
} from '@papermoon/engine'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { QueryCache } from './cache/query-cache.ts'
import type { Live, Market } from './context.ts'
import { createEngineMetrics } from './engine-metrics.ts'
import { createFeedMetrics } from './events/feed-metrics.ts'
import { toPlacedOrder } from './events/journal.ts'
import { JournalPages } from './events/journal-pages.ts'
import { startLiveFeed } from './events/start-live-feed.ts'
import type { CursorMark } from './events/stream/event-cursors.ts'
import { PastEvents } from './events/stream/past-events.ts'
import { createStreamMetrics } from './events/stream/stream-metrics.ts'

interface MarketParts {
  readonly database: Pick<DatabaseClient, 'db' | 'pool'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Logger
  readonly registry: Registry
  readonly engineLimits?: EngineLimits | undefined
  readonly hasDemoWorld: boolean
  readonly cursorMark: CursorMark
  /** Sends committed events to other nodes. */
  relay(events: readonly MarketEvent[]): void
}

/** An engine with the live feed, the caches and the journal of its market. */
export interface StartedMarket {
  readonly market: Market
  readonly live: Omit<Live, 'notices'>
  readonly engine: TradingEngine
  readonly own: OwnEngine
  /** Accepts events that another node committed. */
  receive(events: readonly MarketEvent[]): void
  stop(): Promise<void>
}

/** Starts trading on a database connection's tables: the fairground's, or those of all other fairs. */
export async function startMarket(parts: MarketParts): Promise<StartedMarket> {
  const { database, clock, timers, log, registry, hasDemoWorld, cursorMark } = parts
  const { db } = database
  const { feed, stream, history, stop } = await startLiveFeed({ db, timers, log, hasDemoWorld, cursorMark })
  const publishFrom = createFeedMetrics(registry, { feed, stream })
  const publishOwn = publishFrom('engine')
  const own: OwnEngine = createTradingEngine({
    pool: database.pool,
    clock,
    timers,
    log,
    publish: (events) => {
      publishOwn(events)
      parts.relay(events)
    },
    publishWaiting: (changes) => feed.publishOrders(changes.map(toPlacedOrder)),
    observer: createEngineMetrics(registry, { waiting: () => own.waiting }),
    limits: parts.engineLimits,
  })
  const engine = paceReceipts(own)
  return {
    market: { engine, history, queryCache: new QueryCache({ feed, clock }) },
    live: {
      feed,
      stream,
      pastEvents: new PastEvents({ db, feed }),
      streamMetrics: createStreamMetrics(registry),
      journalPages: new JournalPages({ db, feed, clock }),
    },
    engine,
    own,
    receive: publishFrom('redis'),
    stop,
  }
}
