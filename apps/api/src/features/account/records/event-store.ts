import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { DAY_MS } from '../../../lib/durations.ts'

/** Max number of rows per account and day. Beyond this, events of one kind share a row. */
const ROWS_A_DAY_MAX = 200
const UNLOGGED_BATCH = 100

export interface NewAccountEvent {
  readonly userId: UserId
  readonly kind: string
  readonly at: Date
  readonly address: string | null
  readonly browser: string | null
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
  /** Events with the same key are counted in one row. */
  readonly mergeKey: string | null
  readonly isLogged: boolean
}

/** Inserts an event, or counts it in the row with its merge key. The number of rows per account and day is limited. */
export async function insertAccountEvent(db: Db, event: NewAccountEvent): Promise<void> {
  const { userId, kind, at, address, browser, detail, mergeKey, isLogged } = event
  const dayAgo = new Date(at.getTime() - DAY_MS)
  const day = `day ${at.toISOString().slice(0, 10)}`
  await sql`
    insert into account_events as e (user_id, kind, at, address, browser, detail, merge_key, is_logged)
    values (${userId}, ${kind}, ${at}, ${address}, ${browser}, ${JSON.stringify(detail)},
      case when (select count(*) from (
          select 1 from account_events where user_id = ${userId} and at > ${dayAgo} limit ${ROWS_A_DAY_MAX}) recent
        ) < ${ROWS_A_DAY_MAX} then ${mergeKey}::text else ${day} end,
      ${isLogged})
    on conflict (user_id, kind, merge_key) where merge_key is not null do update
      set times = e.times + 1, at = greatest(e.at, excluded.at), address = excluded.address, browser = excluded.browser,
          detail = excluded.detail, is_logged = e.is_logged and excluded.is_logged`.execute(db)
}

export interface UnloggedEvent {
  readonly kind: string
  readonly userId: number
  readonly at: Date
  readonly detail: NewAccountEvent['detail']
}

/**
 * Passes a limited number of unlogged events to `log` and marks them as logged. After a crash, some events may be
 * logged twice.
 */
export async function logUnlogged(db: Db, log: (event: UnloggedEvent) => void): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const events = await tx
      .selectFrom('account_events')
      .select(['id', 'kind', 'user_id', 'at', 'detail'])
      .where('is_logged', '=', false)
      .orderBy('id')
      .limit(UNLOGGED_BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    if (events.length === 0) return
    for (const { kind, user_id, at, detail } of events) log({ kind, userId: user_id, at, detail })
    const ids = events.map((event) => event.id)
    await tx.updateTable('account_events').set({ is_logged: true }).where('id', 'in', ids).execute()
  })
}
