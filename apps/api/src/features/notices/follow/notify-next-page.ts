import type { Db, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { mayBeNotified, SEND_NOTICES, trimNotices } from '../notify-players.ts'
import { lockPosition } from './follow.ts'

/** Max number of holders or followers per transaction. */
const PLAYERS_A_STEP = 1_000
/**
 * Time in seconds after which a finished cause of notices is checked again. If the same seller sold more in that time,
 * players who bought meanwhile are also notified. New followers are notified of further launches in the same way.
 */
const LATECOMERS_EVERY_S = 60

interface OpenCause {
  readonly id: number
  readonly kind: string
  readonly token_id: TokenId
  readonly actor_id: UserId
  readonly seq: number | null
  readonly told_to: number
}

/**
 * Notifies the next page of players about an unfinished cause, except the player who caused it: the followers of a player
 * who launched a token, otherwise the players who were holders at that time. If a process dies between two pages, another
 * process continues. Returns false if no cause was unfinished.
 */
export async function notifyNextPage(db: Db, playersMax = PLAYERS_A_STEP): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    await lockPosition(tx)
    const cause = await findOpenCause(tx)
    if (cause === undefined) return false
    const step = await tellPage(tx, cause, playersMax)
    await sql`
      update notice_causes
         set told_to = ${step.players < playersMax ? null : step.last}::int,
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
  /** Number of players in the page, including those who are not notified. */
  readonly players: number
  readonly last: number | null
  readonly notified: UserId[]
}

/**
 * SQL for the next holders, and whether they held the token at the time of the event that causes the notices. The holding
 * at that time is the current holding without the changes of later trades.
 */
function selectHolders({ token_id, seq, told_to }: OpenCause, most: number): RawBuilder<unknown> {
  return sql`
    select page.user_id, page.amount - coalesce(later.bought, 0) > 0 as is_due
      from (select user_id, amount from holdings
             where token_id = ${token_id} and user_id > ${told_to} order by user_id limit ${most}) page
      left join (
        select user_id, sum(case side when 'buy' then token_amount else -token_amount end) as bought
          from trades where token_id = ${token_id} and seq > ${seq} group by user_id) later using (user_id)`
}

function selectFollowers({ actor_id, told_to }: OpenCause, most: number): RawBuilder<unknown> {
  return sql`
    select user_id, true as is_due from follows
     where kind = 'player' and target_id = ${actor_id} and user_id > ${told_to} order by user_id limit ${most}`
}

async function tellPage(tx: Tx, cause: OpenCause, playersMax: number): Promise<Step> {
  const players = cause.kind === 'follower' ? selectFollowers(cause, playersMax) : selectHolders(cause, playersMax)
  const { rows } = await sql<Step>`
    with page as materialized (${players}), notified as (
      insert into notices (user_id, cause_id, kind, token_id, created_at)
      select page.user_id, ${cause.id}, ${cause.kind}, ${cause.token_id}::int, now()
        from page join users u on u.id = page.user_id
       where page.is_due and page.user_id <> ${cause.actor_id}
         and ${mayBeNotified(sql`${cause.kind}::text`)}
       order by page.user_id
      on conflict (cause_id, user_id) do nothing
      returning id, user_id, kind
    ), ${SEND_NOTICES}
    select (select count(*)::int from page) as players, (select max(user_id) from page) as last,
           coalesce((select array_agg(user_id) from notified), '{}') as notified`.execute(tx)
  const [step] = rows
  if (step === undefined) throw new Error('a step notified nothing')
  return step
}
