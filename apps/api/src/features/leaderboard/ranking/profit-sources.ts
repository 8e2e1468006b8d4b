import type { Sol } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { sharesBrowser } from '../../../database/conditions.ts'
import { type TradeWindow, tradedWithin } from '../store.ts'

/**
 * Min part of a pool that a player must have paid to count as a source. At most a hundred players per token therefore
 * count.
 */
const PART_MIN = 0.01

/** SQL for the SOL that a trade added to the pool, without the fee. */
const INTO_POOL = sql`(case side when 'buy' then sol_amount - fee else -(sol_amount + fee) end)::float8`

/** A player's profit with one token. */
export interface Gain {
  readonly userId: UserId
  readonly tokenId: TokenId
  /** Profit in SOL, above 0. */
  readonly profit: Sol
}

/**
 * The source that paid the largest part of a player's profit: one other player, or all players in one of the winner's
 * browsers.
 */
export interface ProfitSource {
  /** The player who paid this part. If several players paid, this is the one who paid most. */
  readonly userId: UserId
  /** The part of the profit in whole percent, rounded down. */
  readonly percent: number
  /** Whether these players logged in from one of the winner's browsers. */
  readonly isInBrowser: boolean
}

/**
 * SQL for the accounts that count as one source: one account alone, or all accounts that share a browser with the
 * winner. Only operators see sources of several accounts.
 */
const JOINT = { alone: sql`false`, browsers: sharesBrowser(sql`paid.winner_id`, sql`paid.source_id`) }

/**
 * Finds the players who paid for each winner's profit. The profit with a token is divided among the players who put
 * more SOL into its pool in the window than they took out, in proportion. Returns only the largest source of each
 * winner. A winner has no source if nobody else paid into the pools. Shares are floats, because they are shown only as
 * whole percent.
 */
export async function findProfitSources(
  db: Db,
  window: TradeWindow,
  { gains, by }: { readonly gains: readonly Gain[]; readonly by: keyof typeof JOINT },
): Promise<Map<UserId, ProfitSource>> {
  if (gains.length === 0) return new Map()
  const winners = gains.map(({ userId }) => userId)
  const tokens = gains.map(({ tokenId }) => tokenId)
  const profits = gains.map(({ profit }) => profit.toNumber())
  const { rows } = await sql<{ winner_id: UserId; source_id: UserId; percent: number; is_joint: boolean }>`
    with won as materialized (
      select * from unnest(${winners}::int[], ${tokens}::int[], ${profits}::float8[]) as won (winner_id, token_id, profit)
    ), fed as materialized (
      select token_id, user_id, plain_sum(${INTO_POOL}) as sol
        from trades
       where token_id in (select token_id from won) and ${tradedWithin(window)}
       group by token_id, user_id
      having plain_sum(${INTO_POOL}) > 0
    ), pool as (
      select token_id, plain_sum(sol) as sol from fed group by token_id
    ), paid as (
      select won.winner_id, fed.user_id as source_id,
             plain_sum(won.profit * fed.sol / (pool.sol - coalesce(own.sol, 0))) as profit
        from won join pool using (token_id) join fed using (token_id)
        left join fed own on own.token_id = won.token_id and own.user_id = won.winner_id
       where fed.user_id <> won.winner_id and fed.sol >= ${PART_MIN}::float8 * (pool.sol - coalesce(own.sol, 0))
       group by won.winner_id, fed.user_id
    ), marked as materialized (
      select paid.*, ${JOINT[by]} as is_joint from paid
    ), summed as (
      select *, case when is_joint then plain_sum(profit) over (partition by winner_id, is_joint) else profit end as total
        from marked
    )
    select distinct on (winner_id) winner_id, source_id, is_joint,
           least(100, floor(100 * summed.total / whole.profit + 1e-6))::int as percent
      from summed join (select winner_id, plain_sum(profit) as profit from won group by winner_id) whole using (winner_id)
     order by winner_id, summed.total desc, is_joint desc, summed.profit desc, source_id`.execute(db)
  return new Map(
    rows.map((row) => [row.winner_id, { userId: row.source_id, percent: row.percent, isInBrowser: row.is_joint }]),
  )
}
