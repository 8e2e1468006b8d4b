import { createLog } from '@papermoon/api/testing'
import type { DatabaseClient } from '@papermoon/db'
import { createTradingEngine, type OwnEngine, systemClock } from '@papermoon/engine'

const log = await createLog('error')

/** Opens the trading engine as the server does, without transports. */
export function openEngine({ pool }: Pick<DatabaseClient, 'pool'>): OwnEngine {
  return createTradingEngine({ pool, clock: systemClock, log, publish: () => {} })
}
