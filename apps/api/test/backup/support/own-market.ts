import { connect, migrateToLatest, startEmbedded } from '@papermoon/db'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { makeDataFolder, removeDataFolder } from '../../support/data-folder.ts'

/** A market on its own embedded PostgreSQL, whose files a base backup can copy. */
export interface OwnMarket extends TestMarket {
  readonly dataDir: string
}

export async function createOwnMarket(): Promise<OwnMarket> {
  const dataDir = makeDataFolder()
  const postgres = await startEmbedded({ dataDir, settings: { fsync: 'off' } })
  const client = connect(postgres.address, { poolMax: 10, lockTimeoutMs: 10_000, connectTimeoutMs: 20_000 })
  await migrateToLatest(client.db)
  const drop = async () => {
    await client.close()
    await postgres.stop()
    removeDataFolder(dataDir)
  }
  const { user, password, host, port, database: name } = postgres.address
  const place = new URLSearchParams({ host, port: String(port) })
  const connectionString = `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?${place}`
  return { ...(await createTestMarket({ database: { ...client, connectionString, drop } })), dataDir }
}
