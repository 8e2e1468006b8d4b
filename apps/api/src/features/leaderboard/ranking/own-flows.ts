import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { tradedWithin } from '../store.ts'
import { type FlowRow, isPerson, type PlayerFlow, START_SOL, START_TOKENS, toPlayerFlow } from './best-flows.ts'
import type { Standings } from './standings.ts'

type Span = Standings['span']

/** One player's flows of a span, by the index on their trades. The past never changes, so they agree with the standings. */
export async function findOwnFlows(db: Kysely<Database>, userId: UserId, span: Span): Promise<PlayerFlow[]> {
  const { rows } = await sql<FlowRow>`
    with own as materialized (
      select user_id, token_id, min(seq) as first_seq, count(*)::int as trades,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
             coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
        from trades where user_id = ${userId} and ${tradedWithin(span)} group by user_id, token_id
    )
    select own.user_id, own.token_id, own.trades, own.sol_in, own.sol_out, own.bought, own.sold,
           coalesce(before.sol_reserve, ${START_SOL}::numeric) as sol_before,
           coalesce(before.token_reserve, ${START_TOKENS}::numeric) as tokens_before,
           case when r.created_at < ${span.until} then 0 else last.sol_reserve end as sol_after,
           last.token_reserve as tokens_after
      from own
      join lateral (
        select sol_reserve, token_reserve from trades
         where token_id = own.token_id and created_at < ${span.until} order by seq desc limit 1) last on true
      left join lateral (${selectPoolBefore(span)}) before on true
      left join rugs r on r.token_id = own.token_id`.execute(db)
  return rows.map(toPlayerFlow)
}

/**
 * SQL: the pool right after the last trade before a span, for a row of `own` with net sales, the only ones that need it.
 * Times never decrease along a token's sequence numbers, so halving finds it without an index on times.
 */
function selectPoolBefore({ since }: Span): RawBuilder<unknown> {
  return sql`
    with recursive probe (low, high) as (
      select 0::bigint, own.first_seq where own.sold > own.bought
      union all
      select case when middle.created_at < ${since} then middle.seq else low end,
             case when middle.created_at < ${since} then high else middle.seq end
        from probe join trades middle on middle.token_id = own.token_id and middle.seq = (low + high) / 2
       where high - low > 1
    )
    select t.sol_reserve, t.token_reserve
      from probe join trades t on t.token_id = own.token_id and t.seq = low where high - low = 1`
}

/** SOL of a player's rug pulls and launches in a span, which the leaderboard leaves out. */
export async function findUncounted(
  db: Kysely<Database>,
  userId: UserId,
  { since, until }: Span,
): Promise<{ rugs: string; launchFees: string }> {
  const { rows } = await sql<{ rugs: string; launchFees: string }>`
    select coalesce(sum(r.amount) filter (where r.created_at >= ${since} and r.created_at < ${until}), 0) as rugs,
           -coalesce(sum(t.launch_fee) filter (where t.created_at >= ${since} and t.created_at < ${until}), 0) as "launchFees"
      from tokens t left join rugs r on r.token_id = t.id where t.creator_id = ${userId}`.execute(db)
  return rows[0] ?? { rugs: '0', launchFees: '0' }
}

/** Whether an account is ranked among people; undefined for an unknown player. */
export async function findPerson(
  db: Kysely<Database>,
  userId: UserId,
  span: Span,
): Promise<{ isPerson: boolean } | undefined> {
  const { rows } = await sql<{ isPerson: boolean }>`
    select ${isPerson(span)} as "isPerson" from users u where id = ${userId}`.execute(db)
  return rows[0]
}
