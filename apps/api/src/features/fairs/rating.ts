import { QUICK_RATING_MAX } from '@papermoon/contract/fair-tokens'
import type { FairRatingsTable, Tx } from '@papermoon/db'
import rate from 'glicko2-lite'
import { sql } from 'kysely'

/** Initial rating of a player, from Glickman's paper. */
const START = { rating: 1500, deviation: 350, volatility: 0.06 }
/**
 * Number of players ranked just above a player with whom the player is compared in an arena. The player is also compared
 * with the same number of players ranked just below. In a quick arena, a player is compared with all others, because
 * four of them say little about the result in a field of eight.
 */
const MEETS = 2
/** Number of fairs below which a rating is provisional. */
export const PROVISIONAL_BELOW = 10

/**
 * Rating of each house bot in a quick arena. A house bot's rating is lower than a new player's, and its deviation is
 * smaller.
 */
const BOT = { rating: 1400, deviation: 100, volatility: 0.06 }

type Rating = Omit<FairRatingsTable, 'user_id'>

const UNRATED: Rating = { ...START, fairs: 0 }

interface Rated {
  readonly place: number
  readonly userId: number
  readonly isBot: boolean
}

/**
 * Rates the ranked people of a settled arena. An arena is a rating period in which each player meets the two players
 * above and the two players below, or everyone in a quick arena. Other fairs change no player's rating. Fairs are rated
 * one at a time, in the order in which they ended.
 */
export async function updateRatings(tx: Tx, fairId: number): Promise<void> {
  await lockRatings(tx)
  const { isQuick, entrants } = await findRated(tx, fairId)
  const people = entrants.filter(({ isBot }) => !isBot).map(({ userId }) => userId)
  if (people.length === 0 || entrants.length < 2) return
  const known = await tx.selectFrom('fair_ratings').selectAll().where('user_id', 'in', people).execute()
  const before = new Map<number, Rating>(known.map(({ user_id, ...rating }) => [user_id, rating]))
  const rows = entrants.flatMap(({ userId, isBot }, index) => {
    if (isBot) return []
    const [own, rated] = [
      before.get(userId) ?? UNRATED,
      rateAgainst(entrants, { index, meets: isQuick ? entrants.length : MEETS }, before),
    ]
    const capped = {
      ...rated,
      rating: Math.min(rated.rating, Math.max(own.rating, QUICK_RATING_MAX)),
      fairs: own.fairs,
    }
    return [{ own, row: { user_id: userId, ...(isQuick ? capped : rated) } }]
  })
  await tx
    .insertInto('fair_ratings')
    .values(rows.map(({ row }) => row))
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((set) => ({
        rating: set.ref('excluded.rating'),
        deviation: set.ref('excluded.deviation'),
        volatility: set.ref('excluded.volatility'),
        fairs: set.ref('excluded.fairs'),
      })),
    )
    .execute()
  await sql`
    update fair_results r set rating_before = rated.before, rating_after = rated.after
      from unnest(${people}::int[], ${rows.map(({ own }) => own.rating)}::float8[],
        ${rows.map(({ row }) => row.rating)}::float8[]) as rated (user_id, before, after)
     where r.fair_id = ${fairId} and r.user_id = rated.user_id`.execute(tx)
}

/** Recomputes all ratings from the results after a fair became void. */
export async function recomputeRatings(tx: Tx): Promise<void> {
  await lockRatings(tx)
  await tx.deleteFrom('fair_ratings').execute()
  const fairs = await tx
    .selectFrom('fairs')
    .select('id')
    .where('state', '=', 'settled')
    .where('kind', '=', 'arena')
    .orderBy('settled_at')
    .orderBy('id')
    .execute()
  for (const { id } of fairs) await updateRatings(tx, id)
}

async function lockRatings(tx: Tx): Promise<void> {
  await sql`lock table fair_ratings in share row exclusive mode`.execute(tx)
}

/** Returns ranked people, the best one first. For a quick arena, also returns the house bots. */
async function findRated(
  tx: Tx,
  fairId: number,
): Promise<{ readonly isQuick: boolean; readonly entrants: readonly Rated[] }> {
  const rows = await tx
    .selectFrom('fair_results as r')
    .innerJoin('fairs as f', 'f.id', 'r.fair_id')
    .select(['r.place', 'r.user_id as userId', 'r.is_bot as isBot', 'f.is_quick as isQuick'])
    .where('f.id', '=', fairId)
    .where('f.state', '=', 'settled')
    .where('f.kind', '=', 'arena')
    .where('r.is_ranked', '=', true)
    .orderBy('r.place')
    .orderBy('r.user_id')
    .execute()
  const isQuick = rows[0]?.isQuick === true
  return { isQuick, entrants: rows.filter(({ isBot }) => isQuick || !isBot) }
}

function rateAgainst(
  entrants: readonly Rated[],
  { index, meets }: { readonly index: number; readonly meets: number },
  before: ReadonlyMap<number, Rating>,
): Rating {
  const ratingOf = (at: number): Omit<Rating, 'fairs'> => {
    const { userId, isBot } = entrants[at] as Rated
    return isBot ? BOT : (before.get(userId) ?? UNRATED)
  }
  const { userId, place } = entrants[index] as Rated
  const own = before.get(userId) ?? UNRATED
  const games: [number, number, number][] = []
  for (let at = Math.max(0, index - meets); at <= Math.min(entrants.length - 1, index + meets); at++) {
    const other = (entrants[at] as Rated).place
    const outcome = other === place ? 0.5 : other > place ? 1 : 0
    if (at !== index) games.push([ratingOf(at).rating, ratingOf(at).deviation, outcome])
  }
  const { rating, rd, vol } = rate(own.rating, own.deviation, own.volatility, games)
  return { rating, deviation: rd, volatility: vol, fairs: own.fairs + 1 }
}
