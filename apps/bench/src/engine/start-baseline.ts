import { connect, type DatabaseAddress } from '@papermoon/db'
import type { BenchContext } from '../bench.ts'
import { createBaseline } from './baseline-procedure.ts'
import { pgbenchDriver, pgbenchVersion } from './pgbench.ts'
import { type Driver, startDriver } from './start-driver.ts'

/** Connections over which the stored procedure is called: with more of them it is no faster. */
export const BASELINE_CONNECTIONS = 8

/** The stored procedure on a database, and what calls it there: `pgbench`, or a driver of ours where there is none. */
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
