import { setTimeout as sleep } from 'node:timers/promises'
import {
  acquireDataDirLock,
  assertMigrated,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  DataDirInUseError,
  findEmbeddedAddress,
  startEmbedded,
} from '@papermoon/db'
import type { Config } from '../config.ts'

/**
 * How long to wait for a starting server, in ms. The server locks the data folder before its database accepts
 * connections.
 */
const SERVER_STARTS_WITHIN_MS = 20_000
const RETRY_MS = 100
/** Max number of connections. Most commands need one, and an audit needs two. */
const POOL_MAX = 2

/**
 * Opens the configured database for a command: DATABASE_URL, or the embedded one, which is started until `teardown` if
 * no server runs. Throws `DatabaseSetupError` if there is no database or its schema has another version.
 */
export async function openDatabase(
  config: Config,
  teardown: AsyncDisposableStack,
  poolMax = POOL_MAX,
): Promise<DatabaseClient> {
  const database = await connectDatabase(config, teardown, poolMax)
  await assertMigrated(database.db)
  return database
}

/** Connects to the configured database, even if its schema has another version. */
export async function connectDatabase(
  config: Config,
  teardown: AsyncDisposableStack,
  poolMax = POOL_MAX,
): Promise<DatabaseClient> {
  const database = connect(await findAddress(config, teardown), { poolMax, applicationName: 'papermoon-command' })
  teardown.defer(() => database.close())
  return database
}

async function findAddress({ databaseUrl, dataDir }: Config, teardown: AsyncDisposableStack): Promise<DatabaseAddress> {
  if (databaseUrl !== null) return { connectionString: databaseUrl }
  const giveUpAt = Date.now() + SERVER_STARTS_WITHIN_MS
  for (;;) {
    const address = findEmbeddedAddress(dataDir)
    if (address !== null) return address
    try {
      return await startHere(dataDir, teardown)
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || Date.now() > giveUpAt) throw error
      await sleep(RETRY_MS)
    }
  }
}

async function startHere(dataDir: string, teardown: AsyncDisposableStack): Promise<DatabaseAddress> {
  const lock = acquireDataDirLock(dataDir)
  try {
    const postgres = await startEmbedded({ dataDir })
    teardown.defer(async () => lock.release())
    teardown.defer(() => postgres.stop())
    return postgres.address
  } catch (error) {
    lock.release()
    throw error
  }
}
