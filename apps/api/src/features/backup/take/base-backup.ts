import type { DatabaseClient } from '@papermoon/db'
import { formatLsn, identifySystem, openReplication, startBaseBackup } from '@papermoon/db/backup'
import { sql } from 'kysely'
import { readDatabaseTime } from '../../../database/time.ts'
import { BackupError } from '../backup-error.ts'
import type { PhysicalManifest, Taken } from '../manifest.ts'
import { toChunks, type Vault } from '../place/vault.ts'

/** Copies the whole data folder online, with the WAL that makes it consistent. */
export async function takeBaseBackup(
  vault: Vault,
  id: string,
  database: DatabaseClient,
  isEmbedded: boolean,
): Promise<Taken<PhysicalManifest>> {
  const facts = await readFacts(database)
  const replication = await openReplication(database.address).catch((error: unknown) => {
    throw toRefusal(error)
  })
  try {
    const { systemId } = await identifySystem(replication)
    const backup = startBaseBackup(replication)
    const { plainBytes, ...base } = await vault.write(`${id}/base.tar`, backup.tar)
    const { start, end, timeline } = backup.range()
    return {
      kind: 'physical',
      at: await readDatabaseTime(database.db),
      plainBytes,
      systemId,
      timeline,
      start: formatLsn(start),
      end: formatLsn(end),
      isEmbedded,
      base,
      password: isEmbedded ? await writePassword(vault, id, database) : null,
      ...facts,
    }
  } finally {
    await replication.close().catch(() => {})
  }
}

async function readFacts({ db }: DatabaseClient) {
  const { rows } = await sql<Pick<PhysicalManifest, 'postgres' | 'role' | 'database' | 'segmentBytes'>>`
    select current_setting('server_version_num')::int / 10000 as postgres, current_user::text as role,
      current_database()::text as database,
      (select setting::int from pg_settings where name = 'wal_segment_size') as "segmentBytes"`.execute(db)
  if (rows[0] === undefined) throw new Error('the server says nothing about itself')
  return rows[0]
}

async function writePassword(vault: Vault, id: string, { address }: DatabaseClient) {
  if (!('password' in address)) return null
  const { plainBytes: _, ...file } = await vault.write(`${id}/password`, toChunks(`${address.password}\n`), {
    isCompressed: false,
  })
  return file
}

/** PostgreSQL has separate rules for replication connections. */
function toRefusal(error: unknown): unknown {
  const isRefused = error instanceof Error && 'code' in error && error.code === '28000'
  if (!isRefused) return error
  return new BackupError(
    `PostgreSQL allows no replication connection: ${error.message}. Add a line for the database "replication" to its pg_hba.conf, or pass --logical.`,
  )
}
