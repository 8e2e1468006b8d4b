import type { Db } from '@papermoon/db'
import { sql } from 'kysely'

/**
 * Max number of orders that one transaction ends for each reason. The next portion or round ends the remaining orders.
 */
export const PORTION = 500
/** Max number of portions per round. Even a rug pull with 100,000 orders must leave time for others. */
const PORTIONS_MAX = 5

/**
 * Ends orders that have expired or whose token is closed. Deletes the terms of orders that ended long ago without a
 * fill. Returns the number of ended orders.
 */
export async function endDueOrders(db: Db, stopping?: AbortSignal): Promise<number> {
  let ended = 0
  for (let portions = 0; portions < PORTIONS_MAX && stopping?.aborted !== true; portions++) {
    const { rows } = await END_PORTION.execute(db)
    ended += rows.length
    if (rows.length < PORTION) break
  }
  await CLEAR_BOOKS.execute(db)
  await FORGET_TERMS.execute(db)
  return ended
}

/** An order must not end at a time before its last fill. The time of the fill comes from a node's clock. */
const END_PORTION = sql<{ readonly id: number }>`
  with due as materialized (
    (select id, 'EXPIRED' as cause from waiting_orders
      where state = 'waiting' and expires_at <= clock_timestamp() order by expires_at limit ${PORTION})
    union all
    (select w.id, 'TOKEN_CLOSED' from pools p join waiting_orders w on w.token_id = p.token_id and w.state = 'waiting'
      where p.rugged_at is not null and (p.book_below is not null or p.book_above is not null) limit ${PORTION})
    union all
    (select w.id, 'FAIR_ENDED' from pools p join waiting_orders w on w.token_id = p.token_id and w.state = 'waiting'
      where p.closes_at <= clock_timestamp() and (p.book_below is not null or p.book_above is not null) limit ${PORTION})
    union all
    (select w.id, 'HIDDEN' from tokens t join waiting_orders w on w.token_id = t.id and w.state = 'waiting' and w.kind = 'buy'
      where t.hidden_at is not null limit ${PORTION})
  ), held as materialized (
    select w.id, due.cause from waiting_orders w join due on due.id = w.id
     where w.state = 'waiting' for update of w skip locked
  )
  update waiting_orders w
     set state = case held.cause when 'EXPIRED' then 'expired' else 'cancelled' end, cause = held.cause,
         ended_at = greatest(clock_timestamp(), w.placed_at, p.last_event_at), position = -w.id
    from held, pools p where w.id = held.id and p.token_id = w.token_id
  returning w.id`

/**
 * Clears the order books of closed tokens. Nothing depends on these values, because nobody can trade a closed token.
 */
const CLEAR_BOOKS = sql`
  update pools p set book = book + 1, book_below = null, book_above = null, cascade_from = null, cascade_low = null
   where (p.rugged_at is not null or p.closes_at <= clock_timestamp())
     and (p.book_below is not null or p.book_above is not null)
     and not exists (select from waiting_orders w where w.token_id = p.token_id and w.state = 'waiting')`

/** Deletes the terms of an order. The key, digest and outcome of an order stay for ever. */
const FORGET_TERMS = sql`
  update waiting_orders set amount = null, price = null, stop_price = null, least_price = null, below = null, above = null
   where id in (select id from waiting_orders where state <> 'waiting' and fills = 0 and amount is not null
     and ended_at < clock_timestamp() - interval '30 days' order by ended_at limit ${PORTION})`
