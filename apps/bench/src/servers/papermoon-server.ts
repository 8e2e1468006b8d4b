import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type DatabaseAddress, type DatabaseClient, findEmbeddedAddress } from '@papermoon/db'
import { sql } from 'kysely'
import type { BenchContext } from '../bench.ts'
import { BENCH_FOLDER, ROOT } from '../paths.ts'
import { type ChildServer, startChildServer } from './child-server.ts'
import { readFamilyCpuMs, readParent } from './cpu-time.ts'

/**
 * Starts the real server on its embedded PostgreSQL with fsync, but without rate limits. `root` can be another checkout
 * of this repository.
 */
export async function startPapermoon(
  dataDir: string,
  nodeArgs: readonly string[] = [],
  root = ROOT,
): Promise<ChildServer> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    DEMO: 'off',
    LOG_LEVEL: 'error',
  }
  return await startChildServer([...readFlags(root), ...nodeArgs, 'apps/api/src/server.ts'], settings, root)
}

/** Reads the Node options that `npm start` gives the server. Old commits do not have this file. */
function readFlags(root: string): readonly string[] {
  const path = join(root, 'apps/api/node-flags.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

/** Returns the Node options for a server that writes a CPU profile at its end, if the run asks for one. */
export function profilingFlags({ isProfiled }: Pick<BenchContext, 'isProfiled'>): string[] {
  return isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${join(BENCH_FOLDER, 'profile')}`] : []
}

/** A running server's database. */
export interface RunDatabase {
  readonly address: DatabaseAddress
  readonly db: DatabaseClient['db']
  /** Returns the CPU time of all the database's processes since their start, in ms; NaN if unknown. */
  cpuMs(): number
  close(): Promise<void>
}

/** Connects to the running embedded database of a data folder. Throws if none is running. */
export async function openRunDatabase(dataDir: string): Promise<RunDatabase> {
  const address = findEmbeddedAddress(dataDir)
  if (address === null) throw new Error(`no database runs on ${dataDir}`)
  const options = { poolMax: 2, statementTimeoutMs: 120_000, applicationName: 'papermoon-bench' }
  const { db, close } = connect(address, options)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const postmaster = readParent(rows[0]?.pid ?? 0)
  return { address, db, cpuMs: () => readFamilyCpuMs(postmaster), close }
}
