import { existsSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@papermoon/db'
import { openSpool } from '@papermoon/db/backup'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { readDatabaseTime } from '../../database/time.ts'
import type { Vault } from './vault.ts'

/** A commit's time is taken a moment before it is in the log. */
const CLOCK_MARGIN_MS = 1_000
const ARCHIVED_WITHIN_MS = 30_000
const LOOK_EVERY_MS = 50

const reachedFile = z.object({ at: z.iso.datetime().transform((text) => new Date(text)) })

const toReachedName = (archive: string): string => `wal/${archive}/reached.json`

/** The last moment that an archive can restore, after which a commit follows in its log; null if it has no file yet. */
export async function readReached(vault: Vault, archive: string): Promise<Date | null> {
  const bytes = await vault.find(toReachedName(archive))
  return bytes === null ? null : reachedFile.parse(JSON.parse(bytes.toString('utf8'))).at
}

interface ArchiveParts {
  readonly vault: Vault
  readonly db: Kysely<Database>
  readonly dataDir: string
}

/**
 * Has PostgreSQL end the file of the log that it writes, and stores what it has put into the spool. Files stay there until they
 * are stored. Returns the moment that the archive reaches; null if PostgreSQL hands over nothing in time.
 */
export async function archiveLog({ vault, db, dataDir }: ArchiveParts): Promise<Date | null> {
  const spool = openSpool(dataDir)
  const at = new Date((await readDatabaseTime(db)).getTime() - CLOCK_MARGIN_MS)
  const last = join(spool.folder, await endLogFile(db))
  for (const giveUpAt = Date.now() + ARCHIVED_WITHIN_MS; !existsSync(last); await sleep(LOOK_EVERY_MS)) {
    if (Date.now() > giveUpAt) return null
  }
  for (const file of (await readdir(spool.folder)).filter((name) => !name.startsWith('.')).sort()) {
    await vault.write(`wal/${spool.id}/${file}`, await readFile(join(spool.folder, file)))
    await rm(join(spool.folder, file))
  }
  await vault.write(toReachedName(spool.id), Buffer.from(JSON.stringify({ at })))
  return at
}

/** Commits an empty transaction, at which a restore can stop, and ends the file of the log, which PostgreSQL then archives. */
async function endLogFile(db: Kysely<Database>): Promise<string> {
  await sql`select pg_current_xact_id()`.execute(db)
  const { rows } = await sql<{ file: string }>`
    select pg_walfile_name(pg_current_wal_insert_lsn()) as file, pg_switch_wal()`.execute(db)
  if (rows[0] === undefined) throw new Error('PostgreSQL named no file of its log')
  return rows[0].file
}
