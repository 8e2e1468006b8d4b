import type { DatabaseClient } from '@papermoon/db'
import { createLedEngine, type LedEngine, type MarketEvent, type TradingEngine } from '@papermoon/engine'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { loadServerKey } from '../security/server-key.ts'
import type { Tracing } from '../tracing/tracing.ts'

/** The engine that this node shares with the others of its database, not started yet; null if it runs its orders alone. */
export async function shareEngine(parts: {
  readonly config: Config
  readonly database: Pick<DatabaseClient, 'db' | 'pool'>
  readonly log: Logger
  readonly own: TradingEngine
  readonly tracing: Tracing | null
  receive(events: readonly MarketEvent[]): void
  onForwarded(seconds: number): void
}): Promise<LedEngine | null> {
  const { config, database, log, own, tracing, receive, onForwarded } = parts
  if (config.lead === null) return null
  const { listen, address } = config.lead
  return createLedEngine({
    own,
    pool: database.pool,
    secret: await loadServerKey(database.db, 'forwarded orders'),
    log,
    listen,
    address,
    socketFolder: config.dataDir,
    receive,
    onForwarded,
    ...(tracing !== null && { resumeTrace: tracing.resume }),
  })
}
