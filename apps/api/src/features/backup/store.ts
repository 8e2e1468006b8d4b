import type { Database } from '@papermoon/db'
import { type Lsn, parseLsn } from '@papermoon/db/backup'
import { type Kysely, sql } from 'kysely'

/** Facts that decide whether a server can be copied as a whole. */
export interface ServerFacts {
  readonly major: number
  readonly mayReplicate: boolean
  readonly walLevel: string
  readonly tablespaces: number
}

/** Null if the server says nothing about itself. */
export async function readServerFacts(db: Kysely<Database>): Promise<ServerFacts | null> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int / 10000 as major, current_setting('wal_level') as "walLevel",
      (select rolreplication or rolsuper from pg_roles where rolname = current_user) as "mayReplicate",
      (select count(*)::int from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as tablespaces`.execute(
    db,
  )
  return rows[0] ?? null
}

/** Bytes of a file of the WAL. */
export async function readSegmentBytes(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select setting::int as bytes from pg_settings where name = 'wal_segment_size'`.execute(db)
  return rows[0]?.bytes ?? 0
}

/** The end of the WAL, written out or not, and the moment before it was read. */
export async function readWalEnd(db: Kysely<Database>): Promise<{ readonly at: Date; readonly lsn: Lsn } | null> {
  const { rows } = await sql<{ at: Date; lsn: string }>`
    select clock_timestamp() as at, pg_current_wal_insert_lsn()::text as lsn`.execute(db)
  return rows[0] === undefined ? null : { at: rows[0].at, lsn: parseLsn(rows[0].lsn) }
}
