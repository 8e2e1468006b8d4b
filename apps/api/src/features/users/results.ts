import { Decimal, solText } from '@papermoon/amm'
import { type Results, results } from '@papermoon/contract/users'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { defineTimedQuery } from '../../cache/query-cache.ts'
import type { AppPart } from '../../context.ts'
import { inSnapshot, type Snapshot } from '../../database/snapshot.ts'
import { findRealizedProfit, sumHoldings } from '../portfolio/public.ts'
import { findPublicUser, UserNotFoundError } from './store.ts'

/**
 * Max age of the results, in ms. The results are not read after each trade, because they need all trades of a player.
 */
const MAX_AGE_MS = 10_000

const resultsQuery = defineTimedQuery<UserId, Results>({
  name: 'results',
  schema: results,
  isFresh: (atMs, nowMs) => Math.abs(nowMs - atMs) < MAX_AGE_MS,
})

type Parts = AppPart<'db' | 'queryCache'>

/**
 * Returns a player's gains and losses from closed positions, and the current gains and losses of open positions. A
 * position is closed when the player has sold everything, or when the token is rugged. A partial sale shows no profit,
 * because its price may have come at the expense of the rest. Throws `UserNotFoundError`.
 */
export async function getResults(app: Parts, id: UserId): Promise<Results> {
  return await app.market.queryCache.get(resultsQuery, id, () => readResults(app, id))
}

async function readResults({ platform: { db } }: Parts, id: UserId): Promise<Results> {
  return await inSnapshot(db, async (snapshot) => {
    if ((await findPublicUser(snapshot, id)) === undefined) throw new UserNotFoundError()
    const closed = await findClosedPositions(snapshot, id)
    const held = await sumHoldings(snapshot, id)
    const rugged = await findRuggedHoldings(snapshot, id)
    const { rugs, launchFees } = await findRealizedProfit(snapshot, id)
    return {
      closedProfit: solText(new Decimal(closed.profit)),
      closedPositions: closed.positions,
      wonPositions: closed.won,
      openProfit: solText(held.cashOut.sub(held.cost).add(rugged.cost)),
      openPositions: held.count - rugged.count,
      notCounted: {
        partialSales: solText(held.cost.sub(rugged.cost).add(closed.openFlow)),
        rugs: solText(rugs),
        launchFees: solText(launchFees),
      },
    }
  })
}

/** Totals of a player's closed positions. */
interface ClosedPositions {
  /** SOL received minus SOL paid in the closed positions, including fees. */
  readonly profit: string
  readonly positions: number
  readonly won: number
  /** SOL received minus SOL paid in the open positions. */
  readonly openFlow: string
}

/**
 * Finds closed positions. A position begins with the first buy. A position ends when the holding is zero, or when the
 * token is rugged.
 */
async function findClosedPositions(snapshot: Snapshot, id: UserId): Promise<ClosedPositions> {
  const { rows } = await sql<ClosedPositions>`
    with trade as (
      select token_id, seq, case side when 'buy' then -sol_amount else sol_amount end as sol,
             sum(case side when 'buy' then token_amount else -token_amount end) over (
               partition by token_id order by seq) as held
        from trades where user_id = ${id}
    ), numbered as (
      select *, count(*) filter (where held = 0) over (
               partition by token_id order by seq rows between unbounded preceding and 1 preceding) as closed_before
        from trade
    ), position as (
      select token_id, sum(sol) as profit,
             bool_or(held = 0) or exists (select from rugs r where r.token_id = numbered.token_id) as is_closed
        from numbered group by token_id, closed_before
    )
    select coalesce(sum(profit) filter (where is_closed), 0) as profit, count(*) filter (where is_closed)::int as positions,
           count(*) filter (where is_closed and profit > 0)::int as won,
           coalesce(sum(profit) filter (where not is_closed), 0) as "openFlow"
      from position`.execute(snapshot)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  return row
}

/** Counts a player's holdings of rugged tokens, and adds up their cost in SOL. */
async function findRuggedHoldings(snapshot: Snapshot, id: UserId): Promise<{ count: number; cost: string }> {
  const { rows } = await sql<{ count: number; cost: string }>`
    select count(*)::int as count, coalesce(sum(h.cost), 0) as cost
      from holdings h join rugs r using (token_id) where h.user_id = ${id} and h.amount > 0`.execute(snapshot)
  return rows[0] ?? { count: 0, cost: '0' }
}
