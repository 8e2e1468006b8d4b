import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import type { Db } from '@papermoon/db'
import { type TokenId, toWaitingChange, toWaitingView, type UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'

/**
 * Max number of orders per side from which the depth is computed, the nearest first. The limit keeps the cost the same
 * when there are many orders.
 */
const DEPTH_ORDERS_MAX = 1_000

interface Wanted {
  readonly userId: UserId
  readonly tokenId?: TokenId | undefined
}

/** Finds the tokens of a player's orders with these ids, or of all waiting orders. */
export async function findTokensOfOrders(
  db: Db,
  { userId, tokenId, ids }: Wanted & { readonly ids?: readonly number[] | undefined },
): Promise<{ readonly id: number; readonly token_id: TokenId }[]> {
  let query = db.selectFrom('waiting_orders').select(['id', 'token_id']).where('user_id', '=', userId)
  query = ids === undefined ? query.where('state', '=', 'waiting') : query.where('id', 'in', [...ids])
  if (tokenId !== undefined) query = query.where('token_id', '=', tokenId)
  return (await query.orderBy('id').execute()) as { id: number; token_id: TokenId }[]
}

interface WantedPage extends Wanted {
  readonly state: 'waiting' | 'ended'
  readonly before?: number | undefined
  readonly limit: number
}

/**
 * Finds a player's orders, newest first. An order that has expired or whose token is closed appears as ended, even if
 * its row is not updated yet.
 */
export async function findWaitingOrders(db: Db, wanted: WantedPage): Promise<WaitingOrderView[]> {
  const { rows } = await ownOrders(wanted).execute(db)
  return rows.map((row) => toWaitingView(toWaitingChange(row)))
}

/** Returns the SQL query, so that a test can check its plan. */
export function ownOrders({ userId, tokenId, state, before = Number.MAX_SAFE_INTEGER, limit }: WantedPage) {
  const own = sql`w.user_id = ${userId} and w.id < ${before}
    and ${tokenId === undefined ? sql`true` : sql`w.token_id = ${tokenId}`}`
  // A player has at most fifty waiting orders. The newest ended orders are read from an index.
  const waiting = selectShown(sql`${own} and w.state = 'waiting'`)
  const ended = selectShown(sql`${own} and w.state <> 'waiting' order by w.id desc limit ${limit}`)
  return sql`
    select * from (${waiting} ${state === 'waiting' ? sql`` : sql`union all ${ended}`}) w
     where (w.state = 'waiting') = ${state === 'waiting'} order by w.id desc limit ${limit}`
}

/** Finds the order that has an idempotency key. */
export async function findByKey(db: Db, userId: UserId, key: string): Promise<WaitingOrderView | null> {
  const { rows } = await selectShown(sql`w.user_id = ${userId} and w.request_key = ${key}`).execute(db)
  const [row] = rows
  return row === undefined ? null : toWaitingView(toWaitingChange(row))
}

/**
 * Selects orders in their current state. The rows of these orders may be outdated, because a job ends the orders of a
 * closed token in portions.
 */
const selectShown = (which: RawBuilder<unknown>) => sql`
  select w.id, w.token_id, w.user_id, w.account_id, w.kind, w.price, w.stop_price, w.least_price, w.amount, w.left_amount,
    w.below, w.above, w.filled_in, w.fills, w.key_id, w.replaces, w.request_key, w.placed_at, w.expires_at,
    case when e.cause is null then w.state when e.cause = 'EXPIRED' then 'expired' else 'cancelled' end as state,
    coalesce(e.cause, w.cause) as cause, coalesce(e.ended_at, w.ended_at) as ended_at
  from (select * from waiting_orders w where ${which}) w
  join pools p on p.token_id = w.token_id left join lateral (
    select 'TOKEN_CLOSED' as cause, p.rugged_at as ended_at where w.state = 'waiting' and p.rugged_at is not null
    union all
    select 'FAIR_ENDED', p.closes_at where w.state = 'waiting' and p.closes_at <= clock_timestamp()
    union all
    select 'EXPIRED', w.expires_at where w.state = 'waiting' and w.expires_at <= clock_timestamp()
    limit 1
  ) e on true`

/** A waiting order. If one side has no orders, it has a row of nulls. */
export interface DepthRow {
  readonly is_shown: boolean
  readonly side: 'buy' | 'sale' | null
  readonly user_id: number
  /** The spot price at which the order begins to fill. */
  readonly price: string
  /** SOL that is left for the order after the player's orders that are nearer to the price. */
  readonly sol: string
}

/**
 * Returns the SQL query, so that a test can check its plan. Orders are sorted by their distance from the price, the
 * nearest first. Stop orders are left out, even if they were triggered.
 */
export function depthRows(id: TokenId): RawBuilder<DepthRow> {
  const side = (name: string, has: RawBuilder<unknown>, rule: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
    select ${name}::text as side, near.user_id, near.price, has.amount as has, near.amount,
           coalesce(sum(near.amount) over (partition by near.user_id order by near.place
             rows between unbounded preceding and 1 preceding), 0) as nearer
      from (select w.user_id, w.account_id, w.left_amount as amount, coalesce(w.above, w.below) as price,
                   row_number() over (order by ${order}) as place
              from waiting_orders w where w.token_id = ${id} and w.state = 'waiting' and ${rule}
             order by ${order} limit ${DEPTH_ORDERS_MAX}) near
      join lateral (${has}) has on true`
  const buys = side(
    'buy',
    sql`select sol_balance as amount from accounts where account_id = near.account_id`,
    sql`w.kind = 'buy'`,
    sql`w.below desc, w.placed_at, w.id`,
  )
  const sales = side(
    'sale',
    sql`select h.amount from holdings h where h.token_id = ${id} and h.user_id = near.user_id`,
    sql`w.above is not null and (w.kind = 'sale' or (w.kind = 'bracket' and w.below is not null))`,
    sql`w.above, w.placed_at, w.id`,
  )
  return sql<DepthRow>`
    select f.depth as is_shown, o.side, o.user_id, o.price,
           least(o.amount, o.has - o.nearer) * case o.side when 'sale' then o.price else 1 end as sol
      from ${visibleTokens} t join fairs f on f.id = t.fair_id join pools p on p.token_id = t.id
      left join (${buys} union all ${sales}) o on o.has > o.nearer and p.rugged_at is null
        and coalesce(p.closes_at > clock_timestamp(), true)
     where t.id = ${id} order by o.side, case o.side when 'buy' then -o.price else o.price end`
}
