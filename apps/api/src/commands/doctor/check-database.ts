import { type DatabaseClient, listMissingMigrations } from '@papermoon/db'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { readDatabaseTime } from '../../database/probe-database.ts'
import { counted, describeAge } from '../../lib/text.ts'

/**
 * How long a session may hold a lock before `doctor` reports it, in seconds. Statements of the server wait at most two
 * seconds for a lock, so a lock that is held for longer blocks trades.
 */
const LOCK_SECONDS_MAX = 5

const CLOCK_SECONDS_MAX = 2

export const ok = (text: string): Finding => ({ state: 'ok', text })

export const note = (text: string, page: string): Finding => ({ state: 'note', text, page })

export const wrong = (text: string, page: string): Finding => ({ state: 'wrong', text, page })

/** Result of a `doctor` check. */
export interface Finding {
  /** The level `note` means that nothing is broken, but the operator may want to change something. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly text: string
  /** Page in docs/operations that says what to do. */
  readonly page?: string
}

export interface Examined {
  readonly config: Config
  readonly database: DatabaseClient
}

/**
 * Checks the database's version. Throws if the database is unreachable, PostgreSQL is not supported, or the schema
 * belongs to a newer build.
 */
export async function checkVersions({ database: { db } }: Examined): Promise<Finding[]> {
  const missing = await listMissingMigrations(db)
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  const versions = ok(`Node ${process.versions.node}, PostgreSQL ${rows[0]?.version}.`)
  if (missing.length === 0) return [versions, ok('The database responds, and its schema matches this version.')]
  const names = missing.map(({ name }) => name).join(', ')
  return [
    versions,
    wrong(`The database lacks migrations that this version needs: ${names}. Run papermoon upgrade.`, 'upgrade.md'),
  ]
}

export async function checkLocks({ database: { db } }: Examined): Promise<Finding[]> {
  const { rows } = await sql<{ pid: number; program: string; seconds: number; waiting: number }>`
    select holder.pid, coalesce(nullif(holder.application_name, ''), holder.backend_type) as program,
           extract(epoch from now() - holder.xact_start)::int as seconds, count(*)::int as waiting
      from pg_stat_activity waiter
      cross join lateral unnest(pg_blocking_pids(waiter.pid)) as blocking(pid)
      join pg_stat_activity holder on holder.pid = blocking.pid
     where waiter.datname = current_database() and holder.xact_start < now() - make_interval(secs => ${LOCK_SECONDS_MAX})
     group by 1, 2, 3`.execute(db)
  if (rows.length === 0) return [ok('No statement in the database waits long for a lock.')]
  return rows.map(({ pid, program, seconds, waiting }) =>
    wrong(
      `${counted(waiting, 'statement')} of the database waits for a lock of process ${pid} (${program}), held for ${seconds} s.`,
      'observe.md#incidents',
    ),
  )
}

/** Compares the database's clock with this machine's clock, `now`. */
export async function checkClock({ database: { db } }: Pick<Examined, 'database'>, now = Date.now): Promise<Finding[]> {
  const before = now()
  const there = (await readDatabaseTime(db)).getTime()
  const after = now()
  // The database read its clock between the times `before` and `after`.
  const seconds = Math.max(before - there, there - after, 0) / 1_000
  if (seconds <= CLOCK_SECONDS_MAX) return [ok("This machine's clock and the database's agree.")]
  const text = `This machine's clock and the database's are ${Math.round(seconds)} s apart; synchronize them.`
  return [wrong(text, 'observe.md#incidents')]
}

/**
 * Checks how old the last audit is. The server may be off for one day without a warning; after two days, `doctor`
 * warns.
 */
export async function checkAudit({ config, database: { db } }: Examined): Promise<Finding[]> {
  const page = 'back-up.md#the-audit'
  const last = await db
    .selectFrom('audits')
    .select(['differences', sql<number>`extract(epoch from now() - finished_at)::float8 / 3600`.as('hours')])
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (last === undefined) return [note('No audit has run yet.', page)]
  const text = `The last audit was ${describeAge(last.hours)} ago`
  if (last.differences > 0) return [wrong(`${text} and found ${counted(last.differences, 'difference')}.`, page)]
  const { auditEveryHours } = config
  if (auditEveryHours > 0 && last.hours > 2 * auditEveryHours) {
    return [wrong(`${text}, and AUDIT_EVERY_HOURS is ${auditEveryHours}.`, page)]
  }
  return [ok(`${text} and found no differences.`)]
}
