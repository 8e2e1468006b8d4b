import { setTimeout as sleep } from 'node:timers/promises'
import {
  acquireDataDirLock,
  assertMigrated,
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  DataDirInUseError,
  embeddedAddress,
  startEmbedded,
} from '@papermoon/db'
import type { Config } from '../config.ts'

/** A server that starts right now holds the data folder before its database can be reached. */
const SERVER_STARTS_WITHIN_MS = 20_000
const LOOK_AGAIN_MS = 100

/**
 * The database that the settings name, for a command: that of DATABASE_URL, the embedded one of a running server, or,
 * where none runs, the embedded one, started until `teardown`. Throws a `DatabaseSetupError` when there is none, or
 * when another version of the code made it.
 */
export async function openDatabase(config: Config, teardown: AsyncDisposableStack): Promise<DatabaseClient> {
  const database = connect(await findAddress(config, teardown), { poolMax: 2, applicationName: 'papermoon-command' })
  teardown.defer(() => database.close())
  await assertMigrated(database.db)
  return database
}

async function findAddress({ databaseUrl, dataDir }: Config, teardown: AsyncDisposableStack): Promise<DatabaseAddress> {
  if (databaseUrl !== null) return { connectionString: databaseUrl }
  const giveUpAt = Date.now() + SERVER_STARTS_WITHIN_MS
  for (;;) {
    const address = embeddedAddress(dataDir)
    if (address !== null) return address
    try {
      return await startHere(dataDir, teardown)
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || Date.now() > giveUpAt) throw error
      await sleep(LOOK_AGAIN_MS)
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
