import type { DatabaseClient } from '@papermoon/db'
import { hasPrograms } from '@papermoon/db/backup'
import { sql } from 'kysely'

interface ServerFacts {
  readonly major: number
  readonly may_replicate: boolean
  readonly wal_level: string
  readonly tablespaces: number
}

/** Why a database can only be exported; null if a base backup is possible. Continues "a logical export, since …". */
export async function findObstacle({ db }: DatabaseClient): Promise<string | null> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int / 10000 as major, current_setting('wal_level') as wal_level,
      (select rolreplication or rolsuper from pg_roles where rolname = current_user) as may_replicate,
      (select count(*)::int from pg_tablespace where spcname not in ('pg_default', 'pg_global')) as tablespaces`.execute(
    db,
  )
  const facts = rows[0]
  if (facts === undefined) return 'the server says nothing about itself'
  if (!facts.may_replicate) return 'the role of DATABASE_URL has no REPLICATION'
  if (facts.wal_level === 'minimal') return 'wal_level is minimal'
  if (facts.tablespaces > 0) return 'the server has tablespaces'
  if (!hasPrograms(facts.major)) return `no PostgreSQL ${facts.major} is installed here to restore a base backup with`
  return null
}
