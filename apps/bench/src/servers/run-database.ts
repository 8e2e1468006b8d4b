import { connect, type DatabaseAddress, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import { sql } from 'kysely'
import { readFamilyCpuMs, readParent } from './cpu-time.ts'

/** The database under a running server. */
export interface RunDatabase {
  readonly address: DatabaseAddress
  readonly db: DatabaseClient['db']
  /** Of all its processes since its start, in ms of a core; NaN where the system does not tell. */
  cpuMs(): number
  close(): Promise<void>
}

/** Connects to the embedded database that runs on a data folder. Throws when none does. */
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
