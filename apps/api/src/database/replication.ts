import type { Database } from '@papermoon/db'
import { type Kysely, sql } from 'kysely'

interface Replica {
  readonly name: string
  /** `streaming` when it follows, `catchup`, `backup` …; null without the right to see it. */
  readonly state: string | null
  /** From the end of the log to what the replica has applied; null without the right to see it. */
  readonly lagBytes: number | null
  /** Seconds by which the last applied commits were late; null when it is idle and has applied everything. */
  readonly lagSeconds: number | null
}

export interface Replication {
  readonly isStandby: boolean
  /** Bytes of write-ahead log since the database was made; null on a standby. */
  readonly walBytes: number | null
  readonly replicas: readonly Replica[]
}

/** State of the server's log and of its replicas. */
export async function readReplication(db: Kysely<Database>): Promise<Replication> {
  const { rows } = await sql<Replication>`
    select pg_is_in_recovery() as "isStandby",
           case when not pg_is_in_recovery() then pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 end as "walBytes",
           coalesce((
             select json_agg(json_build_object(
                      'name', coalesce(nullif(application_name, ''), 'unnamed'),
                      'state', state,
                      'lagBytes', pg_wal_lsn_diff(
                        case when pg_is_in_recovery() then pg_last_wal_receive_lsn() else pg_current_wal_lsn() end, replay_lsn),
                      'lagSeconds', extract(epoch from replay_lag)))
               from pg_stat_replication), '[]'::json) as replicas`.execute(db)
  const [found] = rows
  if (found === undefined) throw new Error('no state of replication')
  return found
}
