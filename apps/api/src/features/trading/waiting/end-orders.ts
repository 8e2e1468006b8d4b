import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { App } from '../../../context.ts'
import { type PeriodicJob, startPeriodicJob } from '../../../lib/periodic-job.ts'

const LOOK_EVERY_MS = 1_000
/** Orders of each cause that one transaction ends: the rest follows with the next look, or at once where there is more. */
export const PORTION = 500
/** Portions of one look, so that a rug pull of 100,000 orders leaves room for others. */
const PORTIONS_MAX = 5

/** Ends what time or its token has ended, in both markets, and forgets the terms of what ended long ago without a fill. */
export function startEndingOrders(app: App): PeriodicJob {
  const { fairs } = app.market
  const markets = fairs === undefined ? [app] : [app, fairs]
  const { timers, log } = app.platform
  const failed = (error: unknown) => log.warn({ err: error }, 'waiting orders could not be ended')
  return startPeriodicJob({ timers, everyMs: LOOK_EVERY_MS, failed }, async (stopping) => {
    for (const { platform } of markets) await endDueOrders(platform.db, stopping)
  })
}

/** Returns how many orders it ended. */
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

/**
 * Orders are locked first: the transaction has its number before it draws places, as readers of the journal rely on. None ends
 * before its last fill, whose time is that of a node's clock.
 */
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
         ended_at = greatest(clock_timestamp(), w.placed_at, p.last_event_at), position = nextval('trades_id_seq')
    from held, pools p where w.id = held.id and p.token_id = w.token_id
  returning w.id`

/** A closed token has no price to reach. Nobody trades it, so nothing else depends on these figures. */
const CLEAR_BOOKS = sql`
  update pools p set book = book + 1, book_below = null, book_above = null, cascade_from = null, cascade_low = null
   where (p.rugged_at is not null or p.closes_at <= clock_timestamp())
     and (p.book_below is not null or p.book_above is not null)
     and not exists (select from waiting_orders w where w.token_id = p.token_id and w.state = 'waiting')`

/** The key stays known for ever, with its digest and its end. */
const FORGET_TERMS = sql`
  update waiting_orders set amount = null, price = null, stop_price = null, least_price = null, below = null, above = null
   where id in (select id from waiting_orders where state <> 'waiting' and fills = 0 and amount is not null
     and ended_at < clock_timestamp() - interval '30 days' order by ended_at limit ${PORTION})`
