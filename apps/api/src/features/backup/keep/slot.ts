import type { Database } from '@papermoon/db'
import { type Lsn, parseLsn } from '@papermoon/db/backup'
import { type Kysely, sql } from 'kysely'
import { BackupError } from '../backup-error.ts'

const PREFIX = 'papermoon_backup_'

/** A replication slot: PostgreSQL keeps the WAL from here on until it is confirmed. */
export interface Slot {
  readonly name: string
  readonly keptFrom: Lsn
}

interface SlotRow {
  readonly name: string
  readonly kept_from: string | null
  readonly is_lost: boolean
}

/** Finds or creates the slot of this database. One whose WAL was removed, past `max_slot_wal_keep_size`, is replaced. */
export async function prepareSlot(db: Kysely<Database>): Promise<Slot> {
  await assertNoSynchronousStandby(db)
  const found = await findSlot(db)
  if (found?.kept_from != null && !found.is_lost) return { name: found.name, keptFrom: parseLsn(found.kept_from) }
  if (found) await sql`select pg_drop_replication_slot(${found.name})`.execute(db)
  await sql`select pg_create_physical_replication_slot(${sql.lit(PREFIX)} || oid, true)
    from pg_database where datname = current_database()`.execute(db)
  const created = await findSlot(db)
  if (created?.kept_from == null) throw new Error('a new slot keeps no WAL')
  return { name: created.name, keptFrom: parseLsn(created.kept_from) }
}

/** Drops this database's slot, so that PostgreSQL keeps no WAL for an archive that is switched off. */
export async function dropSlot(db: Kysely<Database>): Promise<void> {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots, pg_database
    where datname = current_database() and slot_name = ${sql.lit(PREFIX)} || pg_database.oid and not active`.execute(db)
}

async function findSlot(db: Kysely<Database>): Promise<SlotRow | undefined> {
  const { rows } = await sql<SlotRow>`
    select slot_name::text as name, restart_lsn::text as kept_from, wal_status in ('lost', 'unreserved') as is_lost
      from pg_replication_slots, pg_database
     where datname = current_database() and slot_name = ${sql.lit(PREFIX)} || pg_database.oid`.execute(db)
  return rows[0]
}

/** Throws if the archive is a synchronous standby: every commit would wait until a WAL file is full. */
async function assertNoSynchronousStandby(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{ names: string }>`select current_setting('synchronous_standby_names') as names`.execute(
    db,
  )
  if (/\*|papermoon_backup/.test(rows[0]?.names ?? '')) {
    throw new BackupError(
      'The WAL is not archived: synchronous_standby_names counts every connection (*), so commits would wait for the archive; name the standbys instead.',
    )
  }
}
