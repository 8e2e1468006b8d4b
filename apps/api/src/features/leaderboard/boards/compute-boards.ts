import { Decimal, launchPool, SOL_DECIMALS, type Sol } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { type Flow, flowProfit } from '../ranking/flow-profit.ts'
import { selectCandidates, selectCreators, selectFlows, selectRugs } from './board-statements.ts'

/** A place on the all-time board. */
export interface AllTimePlace {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly profit: Sol
  readonly trades: number
}

/** A place on the creators' board. */
export interface CreatorPlace {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly backing: Sol
  readonly backers: number
  readonly launched: number
  readonly rugged: number
}

/** A place on the rug board. */
export interface RugPlace {
  readonly tokenId: TokenId
  /** SOL, above 0. */
  readonly taken: Sol
  readonly holders: number
}

/** The boards over all time, each with the best first. */
export interface Boards {
  readonly allTime: readonly AllTimePlace[]
  readonly creators: readonly CreatorPlace[]
  readonly rugs: readonly RugPlace[]
}

/** Twice the places shown: accounts and tokens may be deleted or hidden before the next computation. */
export const PLACES_KEPT = 20

/**
 * The boards over all time, from all trades by one statement. Every figure leaves out the largest other payer, so that a
 * second account of a player's own adds nothing beyond what strangers paid.
 */
export async function computeBoards(db: Kysely<Database>): Promise<Boards> {
  const { rows } = await sql<{ flows: FlowRow[]; creators: CreatorRow[]; rugs: RugRow[] }>`
    with ${selectFlows()},
         candidate as (${selectCandidates()}),
         creator as (${selectCreators(PLACES_KEPT)}),
         rug as (${selectRugs(PLACES_KEPT)})
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

/** A candidate's trades of one token, with what others paid into its pool. */
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
  const places = new Map<UserId, AllTimePlace>()
  for (const row of rows) {
    const { userId, trades } = row
    const before = places.get(userId) ?? { userId, profit: new Decimal(0), trades: 0 }
    places.set(userId, { userId, profit: before.profit.add(countedProfit(row)), trades: before.trades + trades })
  }
  return [...places.values()]
    .filter(({ profit }) => profit.gt(0))
    .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
    .slice(0, PLACES_KEPT)
}

/** The profit with one token by the leaderboard's rule, less the part that its largest other payer paid for. */
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
