import { type Kysely, sql } from 'kysely'
import type { Database } from './schema.ts'

/** Where a server is in the WAL, and whose data it has. */
export interface ServerPosition {
  /** Whether it replays the WAL of another server and takes no writes. */
  readonly isReplica: boolean
  /** Bytes of WAL that reads see: written on a primary, replayed on a replica. */
  readonly position: number
  /** The same for a primary and all its replicas. */
  readonly systemId: string
}

/** Each page of the WAL begins with a header, and a primary's position may point behind one that no record follows yet. */
const WAL_PAGE_BYTES = 8_192
const WAL_HEADER_BYTES_MAX = 40

/**
 * A server's position. What commits on a primary before this is read, with or without waiting for the disk, is in every
 * read that a replica begins at this position or later.
 */
export async function readServerPosition(db: Kysely<Database>): Promise<ServerPosition> {
  const { rows } = await sql<ServerPosition>`
    select recovery.is_replica as "isReplica",
           (case when recovery.is_replica then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end
             - '0/0'::pg_lsn)::bigint as position,
           (select system_identifier::text from pg_control_system()) as "systemId"
      from (select pg_is_in_recovery() as is_replica) recovery`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('PostgreSQL returned no position')
  return row.isReplica ? row : { ...row, position: withoutEmptyPage(row.position) }
}

/** The same position without the header of a page that has no record. */
function withoutEmptyPage(position: number): number {
  const inPage = position % WAL_PAGE_BYTES
  return inPage <= WAL_HEADER_BYTES_MAX ? position - inPage : position
}
