import { Decimal, FEE_RATE, launchPool, SOL_DECIMALS, type Sol } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { MAY_RANK, visibleTokens } from '../../../database/conditions.ts'
import { type Flow, flowProfit } from '../ranking/best-flows.ts'

/** Number of players whose all-time profit is computed exactly. Errors of estimates change ranks by far less. */
const CANDIDATES = 60
const ESTIMATE_DECIMALS = 6
const AFTER_FEE = 1 - FEE_RATE.toNumber()

export interface AllTimePlace {
  readonly userId: UserId
  /** Profit in SOL, above 0. */
  readonly profit: Sol
  readonly trades: number
}

export interface CreatorPlace {
  readonly userId: UserId
  /** SOL that other players put into the creator's tokens; above 0. */
  readonly backing: Sol
  readonly backers: number
  readonly launched: number
  readonly rugged: number
}

export interface RugPlace {
  readonly tokenId: TokenId
  /** SOL that the rug pull took from other players; above 0. */
  readonly taken: Sol
  readonly holders: number
}

/** The all-time boards, each sorted with the best player first. */
export interface Boards {
  readonly allTime: readonly AllTimePlace[]
  readonly creators: readonly CreatorPlace[]
  readonly rugs: readonly RugPlace[]
}

/**
 * Number of entries that are stored per board. More entries are stored than shown, because accounts may be deleted or
 * tokens hidden before the next computation.
 */
export const ENTRIES_STORED = 20

/**
 * Computes the all-time boards from all trades with one statement. Each amount leaves out the other player who paid
 * most, so that a player gains nothing with a second account.
 */
export async function computeBoards(db: Db): Promise<Boards> {
  const { rows } = await sql<{ flows: FlowRow[]; creators: CreatorRow[]; rugs: RugRow[] }>`
    with ${selectFlows()},
         candidate as (${selectCandidates()}),
         creator as (${selectCreators(ENTRIES_STORED)}),
         rug as (${selectRugs(ENTRIES_STORED)})
    select coalesce((select json_agg(json_build_object(
             'userId', user_id, 'trades', trades, 'solIn', sol_in::text, 'solOut', sol_out::text,
             'bought', bought::text, 'sold', sold::text, 'othersFed', others_fed::text, 'othersMost', others_most::text,
             'poolSol', pool_sol::text, 'poolTokens', pool_tokens::text)) from candidate), '[]') as flows,
           coalesce((select json_agg(json_build_object(
             'userId', user_id, 'backing', backing::text, 'backers', backers, 'launched', launched, 'rugged', rugged)
             order by creator.backing desc, user_id) from creator), '[]') as creators,
           coalesce((select json_agg(json_build_object('tokenId', token_id, 'taken', taken::text, 'holders', holders)
             order by rug.taken desc, token_id) from rug), '[]') as rugs`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate has one row')
  return {
    allTime: rankAllTime(row.flows),
    creators: row.creators.map((creator): CreatorPlace => ({ ...creator, backing: new Decimal(creator.backing) })),
    rugs: row.rugs.map((rug): RugPlace => ({ ...rug, taken: new Decimal(rug.taken) })),
  }
}

/** A candidate's trades of one token, and the SOL that others paid into its pool. */
interface FlowRow {
  readonly userId: UserId
  readonly trades: number
  readonly solIn: string
  readonly solOut: string
  readonly bought: string
  readonly sold: string
  readonly othersFed: string
  readonly othersMost: string
  readonly poolSol: string
  readonly poolTokens: string
}

interface CreatorRow extends Omit<CreatorPlace, 'backing'> {
  readonly backing: string
}

interface RugRow {
  readonly tokenId: TokenId
  readonly taken: string
  readonly holders: number
}

function rankAllTime(rows: readonly FlowRow[]): AllTimePlace[] {
  const profits = new Map<UserId, AllTimePlace>()
  for (const row of rows) {
    const { userId, trades } = row
    const before = profits.get(userId) ?? { userId, profit: new Decimal(0), trades: 0 }
    profits.set(userId, { userId, profit: before.profit.add(countedProfit(row)), trades: before.trades + trades })
  }
  return [...profits.values()]
    .filter(({ profit }) => profit.gt(0))
    .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
    .slice(0, ENTRIES_STORED)
}

/**
 * Computes the profit with one token by the leaderboard's rule, without the part from the other player who paid most.
 */
function countedProfit(row: FlowRow): Sol {
  const { virtualSol } = launchPool()
  const after = { sol: new Decimal(row.poolSol), virtualSol, tokens: new Decimal(row.poolTokens) }
  const gained = flowProfit(toFlow(row), { before: launchPool(), after })
  if (gained.lte(0)) return gained
  const [fed, most] = [new Decimal(row.othersFed), new Decimal(row.othersMost)]
  if (fed.isZero()) return new Decimal(0)
  return gained.mul(fed.sub(most)).div(fed).toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_DOWN)
}

function toFlow({ solIn, solOut, bought, sold }: FlowRow): Flow {
  return {
    solIn: new Decimal(solIn),
    solOut: new Decimal(solOut),
    bought: new Decimal(bought),
    sold: new Decimal(sold),
  }
}

/** SQL for whether a user `u` may appear on a board. Bots appear in their own league. */
export const IS_ELIGIBLE = sql`u.kind = 'player' and u.deleted_at is null and ${MAY_RANK}`

/**
 * Returns SQL for the tables `flow`, `pool` and `player` with all players' flows and estimated profits. The sum of
 * `fed` equals the real SOL of the pool.
 */
function selectFlows(): RawBuilder<unknown> {
  return sql`
    flow as materialized (
      select token_id, user_id, count(*)::int as trades,
             sum(case side when 'buy' then sol_amount - fee else -(sol_amount + fee) end) as fed,
             coalesce(sum(sol_amount) filter (where side = 'buy'), 0) as sol_in,
             coalesce(sum(sol_amount) filter (where side = 'sell'), 0) as sol_out,
             coalesce(sum(token_amount) filter (where side = 'buy'), 0) as bought,
             coalesce(sum(token_amount) filter (where side = 'sell'), 0) as sold
        from trades group by token_id, user_id),
    fed as (
      select token_id, user_id, fed, row_number() over (partition by token_id order by fed desc, user_id) as place
        from flow where fed > 0),
    payer as materialized (
      select token_id, sum(fed) as fed, max(fed) filter (where place = 1) as most,
             max(user_id) filter (where place = 1) as most_id, coalesce(max(fed) filter (where place = 2), 0) as second
        from fed group by token_id)`
}

/** Returns SQL for the largest amount that one other player put into a token's pool; `payer` is joined, or null. */
function othersMost(player: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce(case when payer.most_id = ${player} then payer.second else payer.most end, 0)`
}

/**
 * Returns SQL for all flows of the players with the largest estimated all-time profits, with the current pools. Leaves
 * out accounts that have ever been bots, because their profit may be from that time.
 */
function selectCandidates(): RawBuilder<unknown> {
  return sql`
    with others as materialized (
      select flow.*, coalesce(payer.fed, 0) - greatest(flow.fed, 0) as others_fed,
             ${othersMost(sql`flow.user_id`)} as others_most,
             pool.sol_reserve as pool_sol, pool.token_reserve as pool_tokens
        from flow join pools pool using (token_id) left join payer using (token_id)
    ), gain as (
      select user_id, case when others_fed > 0 then (1 - others_most / others_fed)::float8 else 0 end as kept,
             (sol_out - sol_in)::float8 + case when bought > sold then least(
               sol_in::float8 * (bought - sold)::float8 / bought::float8,
               pool_sol::float8 * (bought - sold)::float8 / (pool_tokens + bought - sold)::float8
                 * ${AFTER_FEE}::float8) else 0 end as sol
        from others
    ), estimated as (
      select user_id,
             round(plain_sum(case when sol > 0 then sol * kept else sol end)::numeric, ${ESTIMATE_DECIMALS}) as estimate
        from gain group by user_id
    ), best as (
      select user_id from estimated join users u on u.id = user_id
       where estimate > 0 and ${IS_ELIGIBLE} and not exists (select from bot_spans where user_id = u.id)
       order by estimate desc, user_id limit ${CANDIDATES}
    )
    select others.* from best join others using (user_id)`
}

/**
 * Returns SQL for the creators whose open tokens contain the most SOL from other players. Leaves out the player who
 * paid most. SOL that a creator put into their own pools does not count.
 */
function selectCreators(most: number): RawBuilder<unknown> {
  return sql`
    with token as materialized (
      select t.id as token_id, t.creator_id, p.sol_reserve - p.virtual_sol as real_sol
        from ${visibleTokens} t join pools p on p.token_id = t.id join users u on u.id = t.creator_id
       where p.rugged_at is null and ${IS_ELIGIBLE}
    ), backed as (
      select creator_id, sum(greatest(0, real_sol - greatest(0, coalesce(own.fed, 0)))) as sol
        from token left join flow own on own.token_id = token.token_id and own.user_id = token.creator_id
       group by creator_id
    ), backer as (
      select creator_id, max(sol) as most from (
        select creator_id, user_id, sum(fed) as sol from token join fed using (token_id)
         where user_id <> creator_id group by creator_id, user_id) backing
       group by creator_id
    ), place as (
      select creator_id as user_id, backed.sol - coalesce(backer.most, 0) as backing
        from backed left join backer using (creator_id)
       where backed.sol > coalesce(backer.most, 0)
       order by backing desc, creator_id limit ${most}
    )
    select place.*, record.launched, record.rugged, (
             select count(distinct h.user_id)::int from token join holdings h using (token_id)
              where token.creator_id = place.user_id and h.user_id <> place.user_id and h.amount > 0) as backers
      from place cross join lateral (
        select count(*)::int as launched, count(r.token_id)::int as rugged
          from ${visibleTokens} t left join rugs r on r.token_id = t.id where t.creator_id = place.user_id) record`
}

/**
 * Returns SQL for the rug pulls that took most from other players, and the number of holders. Leaves out the player who
 * paid most.
 */
function selectRugs(most: number): RawBuilder<unknown> {
  return sql`
    select place.*, (
             select count(*)::int from holdings h
              where h.token_id = place.token_id and h.user_id <> place.creator_id and h.amount > 0) as holders
      from (
        select r.token_id, t.creator_id,
               r.amount - greatest(0, coalesce(own.fed, 0)) - ${othersMost(sql`t.creator_id`)} as taken
          from rugs r join ${visibleTokens} t on t.id = r.token_id join users u on u.id = t.creator_id
          left join flow own on own.token_id = r.token_id and own.user_id = t.creator_id
          left join payer on payer.token_id = r.token_id
         where ${IS_ELIGIBLE}
      ) place
     where taken > 0 order by taken desc, token_id limit ${most}`
}
