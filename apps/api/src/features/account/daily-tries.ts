import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import { countSecondsUntil, DAY_MS } from '../../lib/durations.ts'

/** A separate list of the times of an account's attempts within a day. */
export interface TryList {
  readonly table: 'totp_tries' | 'password_reset_guesses'
  /** The primary key of the account's row. */
  readonly key: Readonly<Record<string, unknown>>
}

const TIMES = { totp_tries: 'tried_at', password_reset_guesses: 'guessed_at' } as const

/**
 * Counts an attempt as wrong before it is checked, so that concurrent attempts are limited, too. Returns null if the
 * attempt is allowed. After `most` attempts within a day, returns the number of seconds until the next one is allowed.
 */
export async function spendDailyTry(db: Db, list: TryList, now: Date, most: number): Promise<number | null> {
  const { table, times, isOwn } = toSql(list)
  const since = new Date(now.getTime() - DAY_MS)
  const columns = sql.join(Object.keys(list.key).map((column) => sql.ref(column)))
  const { rows } = await sql`
    insert into ${table} as t (${columns}, ${times})
    values (${sql.join(Object.values(list.key))}, array[${now}::timestamptz])
    on conflict (${columns}) do update
      set ${times} = array(select at from unnest(t.${times}) at where at > ${since} order by at) || excluded.${times}
      where (select count(*) from unnest(t.${times}) at where at > ${since}) < ${most}
    returning 1`.execute(db)
  if (rows.length > 0) return null
  const spent = await sql<{ oldest: Date | null }>`
    select min(at) as oldest from ${table}, unnest(${times}) at where ${isOwn} and at > ${since}`.execute(db)
  return countSecondsUntil((spent.rows[0]?.oldest ?? now).getTime() + DAY_MS, now)
}

/** Removes the attempt that was counted at this time, because it was correct or was not checked. */
export async function refundDailyTry(db: Db, list: TryList, now: Date): Promise<void> {
  const { table, times, isOwn } = toSql(list)
  await sql`
    update ${table} set ${times} = ${times}[:array_position(${times}, ${now}) - 1]
                                || ${times}[array_position(${times}, ${now}) + 1:]
     where ${isOwn} and ${now} = any(${times})`.execute(db)
}

function toSql({ table, key }: TryList) {
  const isOwn = sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )
  return { table: sql.table(table), times: sql.ref(TIMES[table]), isOwn }
}
