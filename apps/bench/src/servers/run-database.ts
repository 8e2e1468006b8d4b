import { connect, type DatabaseAddress, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import { sql } from 'kysely'
import { readFamilyCpuMs, readParent } from './cpu-time.ts'

/** The database of a running server. */
export interface RunDatabase {
  readonly address: DatabaseAddress
  readonly db: DatabaseClient['db']
  /** CPU time of all its processes since its start, in ms; NaN if unknown. */
  cpuMs(): number
  close(): Promise<void>
}

/** Connects to the running embedded database of a data folder. Throws if there is none. */
export async function openRunDatabase(dataDir: string): Promise<RunDatabase> {
  const address = findEmbeddedAddress(dataDir)
  if (address === null) throw new Error(`no database runs on ${dataDir}`)
  const { db, close } = connect(address, {
    poolMax: 2,
    statementTimeoutMs: 120_000,
    applicationName: 'papermoon-bench',
  })
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const postmaster = readParent(rows[0]?.pid ?? 0)
  return { address, db, cpuMs: () => readFamilyCpuMs(postmaster), close }
}
