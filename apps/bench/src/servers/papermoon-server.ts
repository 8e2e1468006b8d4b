import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, findEmbeddedAddress } from '@papermoon/db'
import { sql } from 'kysely'
import { ROOT } from '../paths.ts'
import { type ChildServer, startChildServer } from './child-server.ts'

/** Node's options that `npm start` gives the server. */
const FLAGS: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'apps/api/node-flags.json'), 'utf8'))

/** Starts the real server on its embedded PostgreSQL with fsync, but without rate limits. `more`: further settings. */
export async function startPapermoon(
  dataDir: string,
  nodeArgs: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
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
  return await startChildServer([...FLAGS, ...nodeArgs, 'apps/api/src/server.ts'], settings)
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
