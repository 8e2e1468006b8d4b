import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Snapshot } from '../../database/snapshot.ts'

/** Sums over a player's closed positions. */
export interface ClosedPositions {
  /** SOL received less SOL paid, fees included. */
  readonly profit: string
  readonly positions: number
  readonly won: number
  /** SOL received less SOL paid of the open positions. */
  readonly openFlow: string
}

/** A position begins with the first buy and ends when nothing is held any more, or when the token is rugged. */
export async function findClosedPositions(snapshot: Snapshot, id: UserId): Promise<ClosedPositions> {
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

/** A player's remaining holdings of rugged tokens, and their cost in SOL. */
export async function findRuggedHoldings(snapshot: Snapshot, id: UserId): Promise<{ count: number; cost: string }> {
  const { rows } = await sql<{ count: number; cost: string }>`
    select count(*)::int as count, coalesce(sum(h.cost), 0) as cost
      from holdings h join rugs r using (token_id) where h.user_id = ${id} and h.amount > 0`.execute(snapshot)
  return rows[0] ?? { count: 0, cost: '0' }
}
