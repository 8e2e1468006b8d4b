import { writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connect,
  type DatabaseAddress,
  type DatabaseClient,
  EmbeddedPostgresError,
  migrateToLatest,
  startEmbedded,
} from '@papermoon/db'
import { assertKnownMigrations, createSchema, importTables, recoverCluster, type WalSource } from '@papermoon/db/backup'
import { BackupError } from '../backup-error.ts'
import type { LogicalManifest, Manifest, PhysicalManifest } from '../manifest.ts'
import type { Vault } from '../place/vault.ts'

/** A restored database that runs, and is brought up to date with this build. */
export interface RestoredDatabase {
  readonly database: DatabaseClient
  /** The folder with PostgreSQL's data; null for one of the operator's. */
  readonly folder: string | null
  stop(): Promise<void>
}

export interface RestorePoint {
  readonly wal: WalSource | null
  readonly until: Date | null
}

/** Restores a backup's database below an empty folder and starts it there. Throws BackupError. */
export async function restoreDatabase(
  vault: Vault,
  manifest: Manifest,
  dataDir: string,
  point: RestorePoint = { wal: null, until: null },
): Promise<RestoredDatabase> {
  assertKnownMigrations(manifest.migrations)
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  return manifest.kind === 'physical'
    ? await restoreCluster(vault, manifest, dataDir, point)
    : await restoreExport(vault, manifest, dataDir)
}

async function restoreCluster(
  vault: Vault,
  manifest: PhysicalManifest,
  dataDir: string,
  { wal, until }: RestorePoint,
): Promise<RestoredDatabase> {
  const { postgres: major, role, database, base, password } = manifest
  const secret = password === null ? null : await vault.readAll(password.name, password)
  const openTar = () => vault.read(base.name, base)
  const cluster = await recoverCluster(dataDir, { major, openTar, wal, until, role, database }).catch(
    (error: unknown) => {
      throw error instanceof EmbeddedPostgresError ? new BackupError(error.message, { cause: error }) : error
    },
  )
  const client = connect(cluster.address, { poolMax: 3, applicationName: 'papermoon-restore' })
  const stop = async () => {
    await client.close()
    await cluster.stop()
  }
  try {
    if (secret !== null) writeFileSync(join(cluster.folder, 'password'), secret, { mode: 0o600, flush: true })
    await migrateToLatest(client.db)
  } catch (error) {
    await stop()
    throw error
  }
  return { database: client, folder: cluster.folder, stop }
}

/** Into a new embedded database. */
async function restoreExport(vault: Vault, manifest: LogicalManifest, dataDir: string): Promise<RestoredDatabase> {
  const postgres = await startEmbedded({ dataDir })
  try {
    const database = await fillDatabase(vault, manifest, postgres.address)
    const stop = async () => {
      await database.close()
      await postgres.stop()
    }
    return { database, folder: null, stop }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** Makes the schema and the rows of an export in an empty database, and brings it up to date. */
export async function fillDatabase(
  vault: Vault,
  { migrations, tables, sequences }: LogicalManifest,
  address: DatabaseAddress,
): Promise<DatabaseClient> {
  const client = connect(address, { poolMax: 3, applicationName: 'papermoon-restore' })
  try {
    await createSchema(client.db, migrations)
    const files = new Map(tables.map(({ name, file }) => [name, file]))
    await importTables(address, { tables, sequences, read: (table) => readTable(vault, files.get(table.name)) })
    await migrateToLatest(client.db)
    return client
  } catch (error) {
    await client.close()
    throw error
  }
}

async function* readTable(
  vault: Vault,
  file: LogicalManifest['tables'][number]['file'] | undefined,
): AsyncIterable<Buffer> {
  if (file === undefined) throw new BackupError('A table of the backup has no file.')
  yield* (await vault.read(file.name, file)) as AsyncIterable<Buffer>
}
