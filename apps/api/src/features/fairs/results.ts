import { Decimal, type Sol, solText } from '@papermoon/amm'
import { type FairsDatabase, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { IS_BOT, MAY_RANK } from '../../database/conditions.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { allowedGift, followTrades, toSol } from './follow-trades.ts'
import { type Excess, FairLedger } from './ledger.ts'

const UNITS = sql`1000000000`

/**
 * SQL for the pool share of a holding `h` of a token `t` with the pool `p`: ⌊real SOL of the pool × holding ÷ all
 * holdings⌋₉, in SOL. This is the amount that each holder would get if all sold at once at one price. `div` truncates
 * exactly, but a division would round.
 */
export const POOL_SHARE = sql<string>`
  trunc(div((p.sol_reserve - p.virtual_sol) * h.amount * ${UNITS}, t.supply - p.token_reserve) / ${UNITS}, 9)`

/** SQL for the house bots in a fair `f`, if all of their losses to another player count. Otherwise an empty array. */
export const EXEMPT = sql<number[]>`array(
  select a.user_id from accounts a join users u on u.id = a.user_id
   where a.fair_id = f.id and u.kind = 'house' and not f.limits_bots)`

/** A player's result in a fair. All amounts of the result are in SOL. */
export interface ResultRow {
  /** Rank, counted from 1. Players with the same score share a rank. */
  readonly place: number
  readonly userId: UserId
  readonly username: string
  readonly isBot: boolean
  /** The player's balance plus the player's shares in all pools. */
  readonly standing: string
  /**
   * The player's result without the part that comes from one other player's large losses. This part is the SOL above a
   * tenth of the stake that a single other player lost to this player. All losses of house bots count, except in fairs
   * with `limits_bots`. If everyone is ranked, the score equals the result.
   */
  readonly score: string
  /** The player who lost most of the SOL that the score leaves out. Null if it leaves nothing out. */
  readonly limitedBy: number | null
  readonly isRanked: boolean
  readonly hasLeft: boolean
  readonly trades: number
  /** SOL that the player traded before the last third of the fair. Players who traded enough are ranked. */
  readonly qualifying: string
}

export interface Standings {
  /** All players of the fair: first the ranked players, then the others. Both groups are sorted by score. */
  readonly entrants: readonly ResultRow[]
  /** Exact sums of the fair: stakes − fees = results + dust. */
  readonly sum: { readonly stakes: string; readonly fees: string; readonly standings: string; readonly dust: string }
  /** SOL that a player must trade to be ranked, and the time by which this must happen. Null if everyone is ranked. */
  readonly qualifying: { readonly needed: string; readonly until: Date } | null
}

/**
 * Max number of cached ledgers. When the cache is full, the fairs that nobody viewed for the longest time are removed
 * first.
 */
const LEDGERS_MAX = 50

/**
 * Computes the results of all players in a fair from one snapshot. With the `ledgers` from earlier calls, reads only
 * new trades.
 */
export async function computeResults(
  fairsDb: Kysely<FairsDatabase>,
  fairId: number,
  ledgers = createLedgers(),
): Promise<Standings> {
  if (fairsDb.isTransaction) return await readStandings(fairsDb, fairId, new FairLedger())
  return await withLedger(ledgers, fairId, (ledger) =>
    inSnapshot(fairsDb, (snapshot) => readStandings(snapshot, fairId, ledger)),
  )
}

interface KeptLedger {
  readonly ledger: FairLedger
  /**
   * The promise resolves when the last reader has finished. Readers take turns, so that no reader sees an older state
   * than the reader before it.
   */
  turn: Promise<unknown>
}

type Ledgers = Map<number, KeptLedger>

/** Creates a cache of fairs' ledgers, for `computeResults`. */
export function createLedgers(): Ledgers {
  return new Map()
}

/** Runs `read` with the fair's cached ledger, so that each reader reads only new trades. */
async function withLedger<T>(ledgers: Ledgers, fairId: number, read: (ledger: FairLedger) => Promise<T>): Promise<T> {
  const found = ledgers.get(fairId) ?? { ledger: new FairLedger(), turn: Promise.resolve() }
  ledgers.delete(fairId)
  ledgers.set(fairId, found)
  for (const oldest of ledgers.keys()) if (ledgers.size > LEDGERS_MAX) ledgers.delete(oldest)
  const result = found.turn.then(() => read(found.ledger))
  found.turn = result.catch(() => ledgers.delete(fairId))
  return await result
}

async function readStandings(db: Kysely<FairsDatabase>, fairId: number, ledger: FairLedger): Promise<Standings> {
  const entrants = await findEntrants(db, fairId)
  const sums = await sumFair(db, fairId)
  await followTrades(db, fairId, ledger)
  return rankEntrants(entrants, sums, ledger)
}

/** Ranks the players of a fair by their scores. The ledger contains all trades up to the time of the other values. */
export function rankEntrants(entrants: readonly EntrantRow[], sums: FairSums, ledger: FairLedger): Standings {
  const excess: Map<number, Excess> = sums.everyoneRanks
    ? new Map()
    : ledger.settle().findExcess(allowedGift(sums.stake), sums.exempt)
  const rows = entrants.map((entrant) => {
    const standing = new Decimal(entrant.standing)
    const { sol = 0n, from = null } = excess.get(entrant.userId) ?? {}
    return { ...entrant, standing, score: standing.sub(toSol(sol)), limitedBy: from }
  })
  const places = toPlaces(rows.sort(compareRanks))
  return {
    entrants: rows.map((row, index) => {
      const place = places[index] as number
      return { ...row, place, standing: solText(row.standing), score: solText(row.score) }
    }),
    sum: toSum(sums, entrants),
    qualifying: sums.everyoneRanks ? null : { needed: sums.stake, until: sums.qualifyUntil },
  }
}

/** Returns the sums of an ended fair from its stored results. */
export async function sumResults(
  db: Kysely<FairsDatabase>,
  fairId: number,
  results: readonly Pick<ResultRow, 'standing'>[],
): Promise<Standings['sum']> {
  return toSum(await sumFair(db, fairId), results)
}

function toSum(
  { stakes, fees, balances, pools }: FairSums,
  rows: readonly Pick<ResultRow, 'standing'>[],
): Standings['sum'] {
  const standings = rows.reduce((sum, { standing }) => sum.add(standing), new Decimal(0))
  return {
    stakes: formatNumeric(stakes),
    fees: formatNumeric(fees),
    standings: solText(standings),
    dust: solText(new Decimal(balances).add(pools).sub(standings)),
  }
}

interface Ranked {
  readonly userId: UserId
  readonly isRanked: boolean
  readonly score: Sol
}

/** Compares two players for sorting: ranked players come before the others, and each group is sorted by score. */
export function compareRanks(a: Ranked, b: Ranked): number {
  return Number(b.isRanked) - Number(a.isRanked) || b.score.comparedTo(a.score) || a.userId - b.userId
}

/** Returns the places of players who are sorted by `compareRanks`. Players with the same score share a place. */
export function toPlaces(sorted: readonly Ranked[]): number[] {
  const places: number[] = []
  for (const [index, { isRanked, score }] of sorted.entries()) {
    const above = sorted[index - 1]
    const isTied = above !== undefined && above.isRanked === isRanked && above.score.eq(score)
    places.push(isTied ? (places[index - 1] as number) : index + 1)
  }
  return places
}

/** SQL for the end of the second third of a fair `f`. */
const QUALIFY_UNTIL = sql`(f.starts_at + (f.ends_at - f.starts_at) * 2 / 3)`

/** The result of a player who is not ranked yet. */
export type EntrantRow = Omit<ResultRow, 'place' | 'score' | 'limitedBy'>

/**
 * Players are ranked if their account may have a rank and if they traded the stake before the last third. Players in a
 * room and house bots are ranked after their first trade. After the fair, the values at the bell are used. The sums
 * contain what is lost by rounding as `dust`.
 */
async function findEntrants(db: Kysely<FairsDatabase>, fairId: number): Promise<EntrantRow[]> {
  const { rows } = await sql<EntrantRow>`
    with share as (
      select h.user_id, sum(${POOL_SHARE}) as sol
        from tokens t join pools p on p.token_id = t.id join holdings h on h.token_id = t.id and h.amount > 0
       where t.fair_id = ${fairId} group by h.user_id
    ), traded as (
      select user_id, count(*)::int as trades,
             sum(sol_amount) filter (where tr.created_at < ${QUALIFY_UNTIL}) as early
        from fairs f join tokens t on t.fair_id = f.id join trades tr on tr.token_id = t.id
       where f.id = ${fairId} group by user_id
    )
    select a.user_id as "userId", u.username, ${IS_BOT} as "isBot", a.left_at is not null as "hasLeft",
           a.sol_balance + coalesce(share.sol, 0) as standing, coalesce(traded.trades, 0) as trades,
           coalesce(traded.early, 0) as qualifying,
           a.left_at is null and case when f.everyone_ranks or u.kind = 'house' then coalesce(traded.trades, 0) > 0
             else coalesce(traded.early >= a.stake, false) end
             and coalesce(r.is_ranked, ${MAY_RANK}) as "isRanked"
      from accounts a join users u on u.id = a.user_id join fairs f on f.id = a.fair_id
      left join share using (user_id) left join traded using (user_id)
      left join fair_results r on r.fair_id = a.fair_id and r.user_id = a.user_id
     where a.fair_id = ${fairId}`.execute(db)
  return rows
}

interface FairSums {
  readonly stake: string
  readonly everyoneRanks: boolean
  /** Players whose losses all count. */
  readonly exempt: readonly number[]
  readonly qualifyUntil: Date
  readonly stakes: string
  readonly balances: string
  readonly fees: string
  /** Sum of the real SOL of all pools. */
  readonly pools: string
}

async function sumFair(db: Kysely<FairsDatabase>, fairId: number): Promise<FairSums> {
  const { rows } = await sql<FairSums>`
    select f.stake, f.everyone_ranks as "everyoneRanks", ${EXEMPT} as exempt, ${QUALIFY_UNTIL} as "qualifyUntil",
           a.stakes, a.balances, p.fees, p.pools from fairs f,
      lateral (select coalesce(sum(stake), 0) as stakes, coalesce(sum(sol_balance), 0) as balances
                 from accounts where fair_id = f.id) a,
      lateral (select coalesce(sum(p.fees + t.launch_fee), 0) as fees,
                      coalesce(sum(p.sol_reserve - p.virtual_sol), 0) as pools
                 from tokens t join pools p on p.token_id = t.id where t.fair_id = f.id) p
     where f.id = ${fairId}`.execute(db)
  const [sums] = rows
  if (sums === undefined) throw new Error(`there is no fair ${fairId}`)
  return sums
}
