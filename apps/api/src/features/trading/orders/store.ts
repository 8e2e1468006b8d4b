import type { TimeRange } from '@papermoon/contract/times'
import { type Db, getSqlState } from '@papermoon/db'
import { BusyError, type TokenId, type TradeRow, type UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { IS_BOT } from '../../../database/conditions.ts'

/** An order, as the database's rows contain it. The columns of the trade are null if the order has no trade. */
export type OrderRow = {
  readonly order_id: number
  readonly place: number
  readonly kind: 'buy' | 'sell' | 'launch' | 'rug' | 'seal'
  readonly request_key: string | null
  readonly token_id: TokenId
  readonly created_at: Date
  readonly rugged_amount: string | null
  readonly until: Date | null
  readonly bag_until: Date | null
  readonly bag_tokens: string | null
} & (TradeRow | { readonly id: null })

/** The position of an order in a list of orders. Orders with equal times are sorted by table, then by id. */
export interface OrderCursor {
  readonly at: Date
  readonly place: number
  readonly id: number
}

interface PageQuery {
  readonly userId: UserId
  readonly tokenId: TokenId | undefined
  readonly range: TimeRange
  readonly before: OrderCursor | null
  readonly limit: number
}

/** Finds a page of a player's orders, newest first. */
export async function findOrders(db: Db, { userId, tokenId, range, before, limit }: PageQuery): Promise<OrderRow[]> {
  const { from, to } = range
  const filter = ({ at, place, id, token }: Columns) => sql`
    ${tokenId === undefined ? sql`true` : sql`${token} = ${tokenId}`} and
    ${from === undefined ? sql`true` : sql`${at} >= ${from}`}
    and ${to === undefined ? sql`true` : sql`${at} < ${to}`}
    and ${before === null ? sql`true` : isBefore({ at, place, id }, before)}
    order by ${at} desc, ${id} desc limit ${limit}`
  const { rows } = await sql<OrderRow>`
    ${selectOrders(userId, filter)} order by created_at desc, place desc, order_id desc limit ${limit}`.execute(db)
  return rows
}

/** Finds a player's order by its key; returns undefined if there is none. */
export async function findOrder(db: Db, userId: UserId, key: string): Promise<OrderRow | undefined> {
  const { rows } = await sql<OrderRow>`
    ${selectOrders(userId, ({ key: column }) => sql`${column} = ${key}`)} limit 1`.execute(db)
  return rows[0]
}

const LOCK_NOT_AVAILABLE = '55P03'
const UNDER_WAY_MAX = '1s'

/**
 * Finds a player's order by its key, after all transactions that write for this player have ended. The function waits,
 * because a commit may wait for a standby long after its caller got a response. Throws `BusyError` if a transaction
 * does not end within a second.
 */
export async function findSettledOrder(db: Db, userId: UserId, key: string): Promise<OrderRow | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      // Switch off synchronous commit, because this transaction writes nothing.
      await sql`select set_config('lock_timeout', ${UNDER_WAY_MAX}, true), set_config('synchronous_commit', 'off', true)`.execute(
        tx,
      )
      await sql`select from accounts where user_id = ${userId} for share`.execute(tx)
      return await findOrder(tx, userId, key)
    })
  } catch (error) {
    throw getSqlState(error) === LOCK_NOT_AVAILABLE ? new BusyError() : error
  }
}

/** The columns by which one branch of the query is filtered; `place` is the number of the branch. */
interface Columns {
  readonly at: RawBuilder<unknown>
  readonly id: RawBuilder<unknown>
  readonly key: RawBuilder<unknown>
  readonly token: RawBuilder<unknown>
  readonly place: number
}

/** Returns the SQL condition for earlier orders. The first part of the condition uses the index. */
function isBefore({ at, place, id }: Pick<Columns, 'at' | 'place' | 'id'>, before: OrderCursor): RawBuilder<unknown> {
  return sql`(${at} <= ${before.at}
    and (${at}, ${place}::int, ${id}::bigint) < (${before.at}, ${before.place}::int, ${before.id}::bigint))`
}

/** A launch and its first buy are one order, because they have the same key. */
const IS_FIRST_BUY = sql`t.token_id = k.id and t.seq = 1 and t.user_id = k.creator_id and t.request_key = k.request_key`

const NO_TRADE = sql`null::bigint as id, null::bigint as seq, null::int as user_id, null as username, null::boolean as is_bot,
  null as side, null::numeric as sol_amount, null::numeric as fee, null::numeric as token_amount,
  null::numeric as price, null::numeric as spot_price`

const NO_SEAL = sql`null::timestamptz as until, null::timestamptz as bag_until, null::numeric as bag_tokens`

/**
 * Selects a player's orders from the four tables that contain them. The seal that a launch makes belongs to the launch.
 */
function selectOrders(userId: UserId, filter: (columns: Columns) => RawBuilder<unknown>): RawBuilder<OrderRow> {
  const trades = { at: sql`t.created_at`, id: sql`t.id`, key: sql`t.request_key`, token: sql`t.token_id`, place: 1 }
  const launches = { at: sql`k.created_at`, id: sql`k.id`, key: sql`k.request_key`, token: sql`k.id`, place: 2 }
  const rugs = { at: sql`r.created_at`, id: sql`r.token_id`, key: sql`r.request_key`, token: sql`r.token_id`, place: 3 }
  const seals = {
    at: sql`s.created_at`,
    id: sql`s.position`,
    key: sql`s.request_key`,
    token: sql`s.token_id`,
    place: 4,
  }
  return sql<OrderRow>`
    (select t.id as order_id, 1 as place, case when k.id is null then t.side else 'launch' end as kind, t.request_key,
            t.token_id, t.created_at, null::numeric as rugged_amount, ${NO_SEAL}, t.id, t.seq, t.user_id, u.username,
            ${IS_BOT} as is_bot, t.side, t.sol_amount, t.fee, t.token_amount, t.price, t.spot_price
       from trades t
       join users u on u.id = t.user_id
       left join tokens k on ${IS_FIRST_BUY}
      where t.user_id = ${userId} and ${filter(trades)})
    union all
    (select k.id, 2, 'launch', k.request_key, k.id, k.created_at, null, ${NO_SEAL}, ${NO_TRADE}
       from tokens k
      where k.creator_id = ${userId} and not exists (select from trades t where ${IS_FIRST_BUY}) and ${filter(launches)})
    union all
    (select r.token_id, 3, 'rug', r.request_key, r.token_id, r.created_at, r.amount, ${NO_SEAL}, ${NO_TRADE}
       from tokens k
       join rugs r on r.token_id = k.id
      where k.creator_id = ${userId} and r.user_id = ${userId} and ${filter(rugs)})
    union all
    (select s.position, 4, 'seal', s.request_key, s.token_id, s.created_at, null, s.until, s.bag_until, s.bag_tokens,
            ${NO_TRADE}
       from seals s
      where s.user_id = ${userId} and s.request_key is not null and ${filter(seals)})`
}
