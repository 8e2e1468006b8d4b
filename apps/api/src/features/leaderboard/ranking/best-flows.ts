import {
  cashOutValue,
  Decimal,
  FEE_RATE,
  launchPool,
  type Pool,
  type Sol,
  solText,
  type Tokens,
  tokensText,
} from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { IS_BOT, MAY_RANK } from '../../../database/conditions.ts'
import { type TradeWindow, tradedWithin } from '../store.ts'
import type { Gain } from './profit-sources.ts'

/** Sums of a player's trades of one token in a window. */
export interface Flow {
  /** SOL paid, including fees. */
  readonly solIn: Sol
  /** SOL received, after fees. */
  readonly solOut: Sol
  readonly bought: Tokens
  readonly sold: Tokens
}

/** The token's pool before the window's first trade, and at the end of the window. */
interface PoolSpan {
  readonly before: Pool
  readonly after: Pool
}

/** One player's trades of one token in a period, with the token's pool at the start and end of the period. */
export interface PlayerFlow {
  readonly userId: UserId
  readonly tokenId: TokenId
  readonly trades: number
  readonly flow: Flow
  readonly pools: PoolSpan
}

/** Whether to rank people or bots, and how many of them. */
interface RankedGroup {
  readonly most: number
  readonly who: 'people' | 'bots'
}

/**
 * Estimated profit of the player in SOL. A player below this minimum cannot have won, because estimates are far more
 * exact than this.
 */
export const LOSS_AT_MOST = '-0.001'

/**
 * Number of decimals to which an estimate in SOL is rounded. After rounding, equal players have equal estimates, in
 * whatever order their trades were added.
 */
const ESTIMATE_DECIMALS = 6

const AFTER_FEE = new Decimal(1).sub(FEE_RATE).toFixed()

const START = launchPool()

export const START_SOL = solText(START.sol)

export const START_TOKENS = tokensText(START.tokens)

/**
 * Finds all flows of the `most` people, or bots, with the largest profit in a period. The best player comes first, and
 * the flows of each player are together. Most players trade, but few win. The database therefore ranks all players by
 * an estimate in floats, and sums exactly only for the best ones. One statement reads everything, so that pools and
 * trades are from the same time. The statement reads the period's trades once (by the index on their time), the best
 * players' trades a second time, and two trades of each token.
 */
async function findBestFlows(db: Db, window: TradeWindow, places: RankedGroup): Promise<PlayerFlow[]> {
  const { rows } = await sql<FlowRow>`
    with ${selectPlayers(window)},
         best as (${selectBestPlayers(window, places)}),
         exact as (${selectExactFlows(window)})
    select user_id, token_id, trades, sol_in, sol_out, bought, sold, sol_before, tokens_before, sol_after, tokens_after
      from exact join pool using (token_id) order by estimate desc, user_id`.execute(db)
  return rows.map(toPlayerFlow)
}

/** Returns SQL for the tables `flow`, `pool` and `player` with all players' flows and estimated profits. */
export function selectPlayers(window: TradeWindow): RawBuilder<unknown> {
  return sql`
    flow as materialized (${selectRoughFlows(window)}),
    span as (select token_id, min(first_seq) as first_seq, max(last_seq) as last_seq from flow group by token_id),
    pool as (${selectPools(window)}),
    rough_pool as materialized (
      select token_id, sol_before::float8, tokens_before::float8, sol_after::float8, tokens_after::float8 from pool),
    player as (
      select user_id, round(plain_sum(sol_out - sol_in + ${ESTIMATED_STOCK})::numeric, ${ESTIMATE_DECIMALS}) as estimate
        from flow join rough_pool using (token_id) group by user_id)`
}

/** Returns SQL that sums every player's trades of a token, in floats. */
function selectRoughFlows(window: TradeWindow): RawBuilder<unknown> {
  // `offset 0` makes PostgreSQL convert each amount to a float once instead of once per sum.
  return sql`
    select user_id, token_id, min(seq) as first_seq, max(seq) as last_seq,
           plain_sum(sol) filter (where is_buy) as sol_in, plain_sum(sol) filter (where not is_buy) as sol_out,
           plain_sum(tokens) filter (where is_buy) as bought, plain_sum(tokens) filter (where not is_buy) as sold
      from (select user_id, token_id, seq, side = 'buy' as is_buy, sol_amount::float8 as sol,
                   token_amount::float8 as tokens
              from trades where ${tradedWithin(window)} offset 0) trade
     group by user_id, token_id`
}

/**
 * Returns SQL for the pool of each traded token, before the first trade of the period and after the last one. The pool
 * is empty if the token was rugged since then.
 */
function selectPools({ until }: TradeWindow): RawBuilder<unknown> {
  return sql`
    select s.token_id, last.token_reserve as tokens_after,
           case when r.created_at < ${until ?? 'infinity'} then 0 else last.sol_reserve end as sol_after,
           coalesce(before.sol_reserve, ${START_SOL}::numeric) as sol_before,
           coalesce(before.token_reserve, ${START_TOKENS}::numeric) as tokens_before
      from span s
      join trades last on last.token_id = s.token_id and last.seq = s.last_seq
      left join trades before on before.token_id = s.token_id and before.seq = s.first_seq - 1
      left join rugs r on r.token_id = s.token_id`
}

/** Returns an SQL condition for players `u` who may be ranked and were never bots during the period. */
export const isPerson = ({ since, until }: TradeWindow) => sql`kind = 'player' and ${MAY_RANK} and not exists (
  select from bot_spans where user_id = u.id and since < ${until ?? 'infinity'} and (until is null or until > ${since}))`

/**
 * `lateral` with `offset 0` makes PostgreSQL look players up one by one, the best one first, until enough are found.
 */
function selectBestPlayers(window: TradeWindow, { most, who }: RankedGroup): RawBuilder<unknown> {
  const isRanked = who === 'bots' ? sql`${IS_BOT} and ${MAY_RANK}` : isPerson(window)
  return sql`
    select user_id, estimate from player cross join lateral (
      select ${isRanked} as is_ranked from users u where u.id = player.user_id offset 0
    ) account
     where estimate > ${LOSS_AT_MOST} and is_ranked order by estimate desc, user_id limit ${most}`
}

/** Returns SQL for the exact flows of the players in `best`. */
export function selectExactFlows(window: TradeWindow): RawBuilder<unknown> {
  return sql`
    select estimate, user_id, token_id, count(*)::int as trades,
           coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
           coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
           coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
           coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
      from best join trades using (user_id) where ${tradedWithin(window)} group by estimate, user_id, token_id`
}

/** SQL for the profit from the net tokens of a flow. The formula is that of `flowProfit` without rounding. */
const ESTIMATED_STOCK = sql`case
  when bought > sold then least(
    sol_in * (bought - sold) / bought,
    sol_after * (bought - sold) / (tokens_after + bought - sold) * ${AFTER_FEE}::float8)
  when bought < sold then sol_before * (bought - sold) / (tokens_before + sold - bought) * ${AFTER_FEE}::float8
  else 0 end`

export interface FlowRow {
  readonly user_id: number
  readonly token_id: number
  readonly trades: number
  readonly sol_in: string
  readonly sol_out: string
  readonly bought: string
  readonly sold: string
  readonly sol_before: string
  readonly tokens_before: string
  readonly sol_after: string
  readonly tokens_after: string
}

export function toPlayerFlow(row: FlowRow): PlayerFlow {
  return {
    userId: row.user_id as UserId,
    tokenId: row.token_id as TokenId,
    trades: row.trades,
    flow: {
      solIn: new Decimal(row.sol_in),
      solOut: new Decimal(row.sol_out),
      bought: new Decimal(row.bought),
      sold: new Decimal(row.sold),
    },
    pools: { before: toPool(row.sol_before, row.tokens_before), after: toPool(row.sol_after, row.tokens_after) },
  }
}

function toPool(sol: string, tokens: string): Pool {
  return { sol: new Decimal(sol), virtualSol: START.virtualSol, tokens: new Decimal(tokens) }
}

/**
 * Computes the profit in SOL from a player's trades of one token in a period. The profit is SOL out − SOL in, plus the
 * value of net tokens bought, minus the value of net tokens sold. For tokens bought, the value is the smaller of their
 * cash-out value at the end and their average price paid. For tokens sold, the value is what selling them would have
 * paid when the period began. Players therefore gain nothing by pumping their own tokens or by selling old ones.
 */
export function flowProfit({ solIn, solOut, bought, sold }: Flow, { before, after }: PoolSpan): Sol {
  const gained = solOut.sub(solIn)
  const net = bought.sub(sold)
  if (net.isZero()) return gained
  if (net.isNegative()) return gained.sub(cashOutValue(before, net.neg()))
  // Round down, so that nobody wins by rounding.
  const paid = solIn.mul(net).div(bought).toDecimalPlaces(9, Decimal.ROUND_DOWN)
  return gained.add(Decimal.min(cashOutValue(after, net), paid))
}

/**
 * Returns how much more SOL the net tokens bought would pay when sold, compared to the value that `flowProfit` counts.
 */
export function uncountedStock(flow: Flow, pools: PoolSpan): Sol {
  const net = flow.bought.sub(flow.sold)
  if (net.lte(0)) return new Decimal(0)
  return flow.solOut.sub(flow.solIn).add(cashOutValue(pools.after, net)).sub(flowProfit(flow, pools))
}

/**
 * For each rank to fill, the number of players whose profit is computed exactly. Errors of estimates change ranks by
 * far less.
 */
const EXACT_PER_RANK = 3

/** The profit that a player made with the trades of a period. */
export interface RankedPlayer {
  readonly userId: UserId
  /** The player's profit in SOL. */
  readonly profit: Sol
  readonly trades: number
  /** The tokens with which the player made a profit. */
  readonly gains: readonly Gain[]
}

/**
 * Ranks the people, or the bots, by their profit in a period, the largest profit first. If profits are equal, the older
 * account comes first.
 */
export async function rankWinners(
  db: Db,
  window: TradeWindow,
  { most: places, who }: RankedGroup,
): Promise<RankedPlayer[]> {
  return rankFlows(await findBestFlows(db, window, { most: places * EXACT_PER_RANK, who })).slice(0, places)
}

/** Returns the players whose total is a profit, the largest first. */
export function rankFlows(flows: readonly PlayerFlow[]): RankedPlayer[] {
  return sumFlows(flows)
    .filter(({ profit }) => profit.gt(0))
    .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
}

/** Adds up each player's flows. A player's total may be negative. */
export function sumFlows(flows: readonly PlayerFlow[]): RankedPlayer[] {
  const ranked = new Map<UserId, RankedPlayer>()
  for (const { userId, tokenId, trades, flow, pools } of flows) {
    const before = ranked.get(userId) ?? { userId, profit: new Decimal(0), trades: 0, gains: [] }
    const gained = flowProfit(flow, pools)
    const gains = gained.gt(0) ? [...before.gains, { userId, tokenId, profit: gained }] : before.gains
    ranked.set(userId, { userId, profit: before.profit.add(gained), trades: before.trades + trades, gains })
  }
  return [...ranked.values()]
}
