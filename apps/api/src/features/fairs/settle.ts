import type { FairResultsTable, FairsDatabase, FairsTable, Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Insertable, type Kysely, sql } from 'kysely'
import { sharesBrowser } from '../../database/conditions.ts'
import { lockPosition, notifyPlayers } from '../notices/public.ts'
import { updateRatings } from './rating.ts'
import { computeResults, type ResultRow } from './results.ts'
import { lockFair, lockPools } from './store.ts'

/** Max part of a fair's time during which no server may have run. If no server ran for longer, the fair is void. */
const LOST_PART_MAX = 0.1

/** Min number of rivals in a fair that awards medals. */
const RIVALS_MIN = 4

const MEDALS_MAX = 3

const LEAGUE_POINTS_MAX = 10

type Entrant = Pick<ResultRow, 'place' | 'userId' | 'isRanked' | 'isBot'>

interface Medal {
  /** 1 for gold, 2 for silver, 3 for bronze. */
  readonly rank: number
  /** Whether the medal is of paper, because bots took part in place of people. */
  readonly isPaper: boolean
}

/**
 * Stores the results of a fair after its bell. Only one node stores the results. The transaction waits for the locks of
 * the pools, so the results include trades that began before the bell, and no trade can follow.
 */
export async function settleFair(db: Kysely<FairsDatabase>, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockPools(tx as never, id)
    const fair = await lockFair(tx as never, id)
    if (fair === undefined || fair.state !== 'open' || fair.bell_at === null || fair.now < fair.bell_at) return
    const lastedMs = fair.bell_at.getTime() - fair.starts_at.getTime()
    const isVoid = fair.lost_ms > lastedMs * LOST_PART_MAX
    const { entrants } = await computeResults(tx, id)
    const seated = isVoid || fair.kind === 'sandbox' ? [] : await findSeated(tx, id, entrants)
    const results = toResults(fair, entrants, seated)
    if (results.length > 0) await tx.insertInto('fair_results').values(results).execute()
    const note = isVoid
      ? `This fair does not count, because the server was down for ${Math.round(fair.lost_ms / 1_000)} seconds.`
      : fair.note
    await tx
      .updateTable('fairs')
      .set({ state: isVoid ? 'void' : 'settled', note, settled_at: fair.now, made_from: null })
      .where('id', '=', id)
      .execute()
    await updateRatings(tx as never, id)
    if (!isVoid && fair.kind !== 'sandbox') await notifyEntrants(tx as never, id, entrants)
  })
}

/** Returns the results to store; `seated` are the rivals among the entrants. Both lists are sorted by rank. */
function toResults(
  { id, kind }: Pick<FairsTable, 'kind'> & { readonly id: number },
  entrants: readonly ResultRow[],
  seated: readonly Entrant[],
): Insertable<FairResultsTable>[] {
  const medals = awardMedals(kind, seated)
  const points = kind === 'arena' ? toLeaguePoints(seated) : new Map<UserId, number>()
  return entrants.map((row) => ({
    fair_id: id,
    user_id: row.userId,
    place: row.place,
    standing: row.standing,
    score: row.score,
    is_ranked: row.isRanked,
    is_bot: row.isBot,
    has_left: row.hasLeft,
    trades: row.trades,
    medal: medals.get(row.userId)?.rank ?? null,
    is_paper: medals.get(row.userId)?.isPaper ?? false,
    league_points: points.get(row.userId) ?? 0,
  }))
}

/** Notifies the players who stayed until the bell of their results; `entrants` are sorted by rank. */
async function notifyEntrants(tx: Tx, fairId: number, entrants: readonly ResultRow[]): Promise<void> {
  const causes = entrants.map(({ place, userId, score, isRanked, hasLeft }) => ({
    hasLeft,
    userId,
    kind: 'mention' as const,
    key: `result ${fairId} ${userId}`,
    tokenId: null,
    actorId: null,
    seq: null,
    detail: { fairId, value: score, ...(isRanked && { rank: place }) },
  }))
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    causes.filter(({ hasLeft }) => !hasLeft),
  )
}

/**
 * Finds the ranked players who are rivals, the best one first. Rivals are bots, and people who entered in the first
 * third of the fair. If accounts share a browser, only the oldest one is a rival. `entrants` are sorted by rank.
 */
export async function findSeated(
  db: Kysely<FairsDatabase>,
  fairId: number,
  entrants: readonly Entrant[],
): Promise<Entrant[]> {
  const inTime = await findRivals(db, fairId)
  return entrants.filter(({ userId, isRanked, isBot }) => isRanked && (isBot || inTime.has(userId)))
}

/**
 * Returns the medals of a fair with these rivals. The best three people get medals if at least four people are rivals.
 * If fewer people take part in an arena, bots count as rivals, and people among the best three get paper medals. Tied
 * players get the same medal, so a fair can have more than three.
 */
export function awardMedals(kind: string, seated: readonly Entrant[]): Map<UserId, Medal> {
  const people = seated.filter(({ isBot }) => !isBot)
  const isPaper = people.length < RIVALS_MIN && kind === 'arena'
  const rivals = isPaper ? seated : people
  if (rivals.length < RIVALS_MIN) return new Map()
  const best = rivals.map((rival) => ({ ...rival, rank: toRank(rivals, rival) }))
  const winners = best.filter(({ isBot, rank }) => !isBot && rank <= MEDALS_MAX)
  return new Map(winners.map(({ userId, rank }) => [userId, { rank, isPaper }]))
}

/** Returns the rank of a player among `rivals`, from 1. Tied players share a rank. */
function toRank(rivals: readonly Entrant[], { place }: Entrant): number {
  return 1 + rivals.findIndex((rival) => rival.place === place)
}

/** Returns the league points of an arena: 10 for the first rival, down to 0 for the last. */
export function toLeaguePoints(seated: readonly Entrant[]): Map<UserId, number> {
  if (seated.length < RIVALS_MIN) return new Map()
  const others = seated.length - 1
  return new Map(
    seated.map((rival) => {
      const beaten = seated.length - toRank(seated, rival)
      return [rival.userId, Math.ceil((LEAGUE_POINTS_MAX * beaten) / others)]
    }),
  )
}

/**
 * Finds the players who entered a fair early enough to be rivals. Leaves out players who share a browser with an older
 * account in the fair.
 */
async function findRivals(db: Kysely<FairsDatabase>, fairId: number): Promise<Set<UserId>> {
  const { rows } = await sql<{ id: UserId }>`
    select a.user_id as id from fairs f join accounts a on a.fair_id = f.id
     where f.id = ${fairId} and a.entered_at < f.starts_at + (f.ends_at - f.starts_at) / 3
       and not exists (select from accounts o where o.fair_id = f.id and o.user_id < a.user_id
         and ${sharesBrowser(sql`a.user_id`, sql`o.user_id`)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
