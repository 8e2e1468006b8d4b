import { connect, type DatabaseAddress } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import { createBaseline } from './baseline-procedure.ts'
import { pgbenchDriver, pgbenchVersion } from './pgbench.ts'
import { type Driver, startDriver } from './start-driver.ts'

/** Connections calling the stored procedure; more are not faster. */
export const BASELINE_CONNECTIONS = 8

/** Installs the stored procedure and starts its caller: pgbench, or a driver in Node if there is none. */
export async function startBaseline(
  context: BenchContext,
  address: DatabaseAddress,
  size: { readonly tokens: number; readonly players: number },
): Promise<Driver> {
  const database = connect(address, { poolMax: 1, statementTimeoutMs: 120_000 })
  await createBaseline(database.db, size).finally(() => database.close())
  const pgbench = pgbenchVersion()
  context.note('stored procedure driven by', pgbench ?? 'Node')
  if (pgbench === null || !('host' in address)) return await startDriver('procedure', address)
  return pgbenchDriver(address)
}
