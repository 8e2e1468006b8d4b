import { formatNumeric, type Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'
import { notifyPlayers, type PersonalCause } from '../notify-players.ts'
import type { EntryRange } from './record-causes.ts'

/** Max number of alerts that one statement ends. The next statement ends the remaining alerts. */
const PAGE = 1_000

/**
 * Notifies players about alerts that the trades in a range reached. First finds the highest and lowest price of each
 * token with alerts, and then checks only the alerts in between. Returns the number of alerts that ended.
 */
export async function fireReachedAlerts(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const waiting = await tx.selectFrom('price_alerts').select('id').where('done_at', 'is', null).limit(1).execute()
  if (waiting.length === 0) return 0
  const moved = sql`
    select token_id, max(spot_price) as high, min(spot_price) as low
      from trades where id > ${after} and id <= ${through} group by token_id`
  return await fire(
    tx,
    sql`
      select a.id, a.token_id, a.direction, a.price, a.since_seq from (${moved}) moved
        join price_alerts a on a.token_id = moved.token_id
       where a.done_at is null and ((a.direction = 'above' and a.price <= moved.high)
          or (a.direction = 'below' and a.price >= moved.low))`,
  )
}

/**
 * Checks each new alert once, from the trade after which it was created. The check is needed, because the follower may
 * pass the trade that reaches an alert while the alert is being created.
 */
export async function fireNewAlerts(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update price_alerts set is_new = false where id in (
      select id from price_alerts where is_new and done_at is null limit ${PAGE}) returning id`.execute(tx)
  if (rows.length === 0) return 0
  const ids = rows.map((row) => row.id)
  return await fire(
    tx,
    sql`select id, token_id, direction, price, since_seq from price_alerts where id = any(${ids}::int[])`,
  )
}

/**
 * Ends the alerts of tokens that were rugged in a range of the journal, and new alerts of rugged tokens. After a rug
 * pull the price is
 * 0. Alerts below the price are therefore triggered, and all others end.
 */
export async function endAlertsOfRuggedTokens(tx: Tx, { after, through }: EntryRange): Promise<number> {
  const { rows } = await sql<EndedAlert>`
    update price_alerts a
       set done_at = now(), is_new = false, done_seq = case when a.direction = 'below' then r.seq end
      from rugs r join ${visibleTokens} t on t.id = r.token_id
     where a.done_at is null and a.token_id = r.token_id and r.token_id in (
       select token_id from rugs where position > ${after} and position <= ${through}
       union all select token_id from price_alerts where is_new and done_at is null)
    returning a.id, a.user_id, a.token_id, a.measure, a.value, a.direction, a.price, a.done_seq`.execute(tx)
  await notifyPlayers(tx, rows.filter((alert) => alert.done_seq !== null).map(toCause))
  return rows.length
}

/** Ends the alerts that a trade after `since_seq` reached, and notifies their players. */
async function fire(tx: Tx, alerts: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<EndedAlert>`
    update price_alerts a set done_at = now(), is_new = false, done_seq = hit.seq
      from (${alerts}) near
      join ${visibleTokens} t on t.id = near.token_id
      cross join lateral (
        select seq from trades
         where token_id = near.token_id and seq > near.since_seq
           and (case near.direction when 'above' then spot_price >= near.price else spot_price <= near.price end)
         order by seq limit 1
      ) hit
     where a.id = near.id
    returning a.id, a.user_id, a.token_id, a.measure, a.value, a.direction, a.price, a.done_seq`.execute(tx)
  for (let start = 0; start < rows.length; start += PAGE) {
    await notifyPlayers(tx, rows.slice(start, start + PAGE).map(toCause))
  }
  return rows.length
}

interface EndedAlert {
  readonly id: number
  readonly user_id: UserId
  readonly token_id: TokenId
  readonly measure: string
  readonly value: string
  readonly direction: string
  readonly price: string
  readonly done_seq: number | null
}

function toCause(alert: EndedAlert): PersonalCause {
  const { measure, direction } = alert
  return {
    userId: alert.user_id,
    kind: 'alert',
    key: `alert ${alert.id}`,
    tokenId: alert.token_id,
    actorId: null,
    seq: alert.done_seq,
    detail: { measure, direction, value: formatNumeric(alert.value), price: formatNumeric(alert.price) },
  }
}
