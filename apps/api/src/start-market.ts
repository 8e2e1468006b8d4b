import type { DatabaseClient } from '@papermoon/db'
import {
  type Clock,
  createTradingEngine,
  type EngineLimits,
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
import { JournalReader } from './events/journal-reader.ts'
import type { Published } from './events/live-feed.ts'
import type { Relayed } from './events/redis-relay.ts'
import { startLiveFeed } from './events/start-live-feed.ts'
import type { CursorMark } from './events/stream/event-cursors.ts'
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
  /** Passes committed events on to other nodes. */
  relay(published: Relayed): void
}

/** An engine with the live feed, the caches and the journal of its market. */
export interface StartedMarket {
  readonly market: Market
  readonly live: Omit<Live, 'notices'>
  readonly engine: TradingEngine
  readonly own: OwnEngine
  /** Accepts events that another node committed. */
  receive(published: Published): void
  stop(): Promise<void>
}

/** Starts trading on a database connection's tables: the fairground's, or those of all other fairs. */
export async function startMarket(parts: MarketParts): Promise<StartedMarket> {
  const { database, clock, timers, log, registry, hasDemoWorld, cursorMark } = parts
  const { db } = database
  const { feed, stream, history, stop } = await startLiveFeed({ db, timers, log, hasDemoWorld, cursorMark })
  const publishFrom = createFeedMetrics(registry, { feed, timers })
  const publishOwn = publishFrom('engine')
  const own: OwnEngine = createTradingEngine({
    pool: database.pool,
    clock,
    timers,
    log,
    publish: ({ after, through, events, waiting }) => {
      publishOwn({ after, through, events: [...waiting.map(toPlacedOrder), ...events] })
      // Orders belong only to their players, so do not send them; other nodes read them from the journal.
      parts.relay({ market: cursorMark, after, through, events: waiting.length === 0 ? events : null })
    },
    observer: createEngineMetrics(registry, { waiting: () => own.waiting }),
    limits: parts.engineLimits,
  })
  const engine = paceReceipts(own)
  return {
    market: { engine, history, queryCache: new QueryCache({ feed, clock }) },
    live: {
      feed,
      stream,
      journal: new JournalReader({ db, feed }),
      streamMetrics: createStreamMetrics(registry),
    },
    engine,
    own,
    receive: publishFrom('redis'),
    stop,
  }
}
