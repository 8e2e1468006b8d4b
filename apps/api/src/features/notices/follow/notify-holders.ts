import type { Db, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { mayBeNotified, SEND_NOTICES, trimNotices } from '../notify-players.ts'
import { lockPosition } from './follow.ts'

/** Max number of holders per transaction. */
const HOLDERS_A_STEP = 1_000
/**
 * Time in seconds after which a finished cause of notices is checked again. If the same seller sold more in that time,
 * players who bought meanwhile are also notified.
 */
const LATECOMERS_EVERY_S = 60

interface OpenCause {
  readonly id: number
  readonly kind: string
  readonly token_id: TokenId
  readonly actor_id: UserId
  readonly seq: number
  readonly told_to: number
}

/**
 * Notifies the next page of holders about an unfinished cause, except the player who caused it. Only players who were
 * holders at that time are notified. If a process dies between two pages of holders, another process continues. Returns
 * false if no cause was unfinished.
 */
export async function notifySomeHolders(db: Db, holdersMax = HOLDERS_A_STEP): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await lockPosition(tx)
    const cause = await findOpenCause(tx)
    if (cause === undefined) return false
    const step = await tellPage(tx, cause, holdersMax)
    await sql`
      update notice_causes
         set told_to = ${step.holders < holdersMax ? null : step.last}::int,
             told_at = case when ${cause.told_to} = 0 then now() else told_at end
       where id = ${cause.id}`.execute(tx)
    await trimNotices(tx, step.notified)
    return true
  })
}

async function findOpenCause(tx: Tx): Promise<OpenCause | undefined> {
  const { rows } = await sql<OpenCause>`
    select id, kind, token_id, actor_id, seq, told_to from notice_causes
     where told_to is not null
       and (told_to > 0 or told_at is null or told_at < now() - make_interval(secs => ${LATECOMERS_EVERY_S}))
     order by id limit 1`.execute(tx)
  return rows[0]
}

interface Step {
  /** Number of holdings in the page of holders. */
  readonly holders: number
  readonly last: number | null
  readonly notified: UserId[]
}

/**
 * Computes each holding at the time of the event that causes the notices. The result is the current holding without the
 * changes of later trades.
 */
async function tellPage(tx: Tx, cause: OpenCause, holdersMax: number): Promise<Step> {
  const { rows } = await sql<Step>`
    with page as materialized (
      select user_id, amount from holdings
       where token_id = ${cause.token_id} and user_id > ${cause.told_to} order by user_id limit ${holdersMax}
    ), later as materialized (
      select user_id, sum(case side when 'buy' then token_amount else -token_amount end) as bought
        from trades where token_id = ${cause.token_id} and seq > ${cause.seq} group by user_id
    ), notified as (
      insert into notices (user_id, cause_id, kind, token_id, created_at)
      select page.user_id, ${cause.id}, ${cause.kind}, ${cause.token_id}::int, now()
        from page join users u on u.id = page.user_id left join later on later.user_id = page.user_id
       where page.amount - coalesce(later.bought, 0) > 0 and page.user_id <> ${cause.actor_id}
         and ${mayBeNotified(sql`${cause.kind}::text`)}
       order by page.user_id
      on conflict (cause_id, user_id) do nothing
      returning id, user_id, kind
    ), ${SEND_NOTICES}
    select (select count(*)::int from page) as holders, (select max(user_id) from page) as last,
           coalesce((select array_agg(user_id) from notified), '{}') as notified`.execute(tx)
  const [step] = rows
  if (step === undefined) throw new Error('a step notified nothing')
  return step
}
