import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, findEmbeddedAddress } from '@papermoon/db'
import { sql } from 'kysely'
import { ROOT } from '../paths.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

/**
 * Starts the real server on its embedded PostgreSQL with fsync, but without rate limits. `more`: further settings; `root`:
 * another checkout of this repository.
 */
export async function startPapermoon(
  dataDir: string,
  nodeArgs: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<ChildServer> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT: 'off',
    DEMO: 'off',
    LOG_LEVEL: 'error',
    ...more,
  }
  return await startChildServer([...readFlags(root), ...nodeArgs, 'apps/api/src/server.ts'], settings, root)
}

/** Node's options that `npm start` gives the server; commits before the first of them have no such file. */
function readFlags(root: string): readonly string[] {
  const path = join(root, 'apps/api/node-flags.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : []
}

/** Describes the PostgreSQL of a data folder: its version, and whether it is durable. */
export async function postgresFacts(dataDir: string): Promise<{ version: string; fsync: string }> {
  const address = findEmbeddedAddress(dataDir)
  if (address === null) throw new Error(`no database runs on ${dataDir}`)
  const { db, close } = connect(address, { poolMax: 1, applicationName: 'papermoon-bench' })
  try {
    const { rows } = await sql<{ version: string; fsync: string }>`
      select current_setting('server_version') as version, current_setting('fsync') as fsync`.execute(db)
    const [facts] = rows
    if (facts === undefined) throw new Error('a database that says nothing')
    return facts
  } finally {
    await close()
  }
}
