import { createLog } from '@papermoon/api/testing'
import { connect, type DatabaseAddress, type DatabaseClient } from '@papermoon/db'
import { createTradingEngine, type OwnEngine, systemClock } from '@papermoon/engine'
import type { BenchContext } from '../bench.ts'

const log = await createLog('error')

/** Opens the trading engine as the server does, without transports. */
export function openEngine(
  { cleanup }: BenchContext,
  address: DatabaseAddress,
): { readonly engine: OwnEngine; readonly database: DatabaseClient } {
  const database = connect(address, { poolMax: 20, statementTimeoutMs: 600_000 })
  cleanup.defer(() => database.close())
  const engine = createTradingEngine({ pool: database.pool, clock: systemClock, log, publish: () => {} })
  cleanup.defer(() => engine.close())
  return { engine, database }
}
