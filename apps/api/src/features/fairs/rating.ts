import type { FairRatingsTable, Tx } from '@papermoon/db'
import rate from 'glicko2-lite'
import { sql } from 'kysely'

/** Rating of a player without a fair, from Glickman's paper. */
const START = { rating: 1500, deviation: 350, volatility: 0.06 }
/** How many neighbours above, and as many below, a player meets in a fair. */
const MEETS = 2
/** With fewer fairs a rating is provisional. */
export const PROVISIONAL_BELOW = 10

type Rating = Omit<FairRatingsTable, 'user_id'>

/**
 * Rates the ranked people of a settled arena: a rating period in which each meets the two above and the two below.
 * Other fairs change nothing, since a player made them or they last too long. Fairs are rated one at a time, in the order of their end.
 */
export async function updateRatings(tx: Tx, fairId: number): Promise<void> {
  await lockRatings(tx)
  const players = await findRated(tx, fairId)
  if (players.length < 2) return
  const known = await tx.selectFrom('fair_ratings').selectAll().where('user_id', 'in', players).execute()
  const before = new Map<number, Rating>(known.map(({ user_id, ...rating }) => [user_id, rating]))
  const rows = players.map((userId, place) => ({ user_id: userId, ...rateAgainst(players, place, before) }))
  await tx
    .insertInto('fair_ratings')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((set) => ({
        rating: set.ref('excluded.rating'),
        deviation: set.ref('excluded.deviation'),
        volatility: set.ref('excluded.volatility'),
        fairs: set.ref('excluded.fairs'),
      })),
    )
    .execute()
}

/** Computes all ratings again from the results: after a fair was made void. */
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

/** The best first. */
async function findRated(tx: Tx, fairId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('fair_results as r')
    .innerJoin('fairs as f', 'f.id', 'r.fair_id')
    .select('r.user_id')
    .where('f.id', '=', fairId)
    .where('f.state', '=', 'settled')
    .where('f.kind', '=', 'arena')
    .where('r.is_ranked', '=', true)
    .where('r.is_bot', '=', false)
    .orderBy('r.place')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

function rateAgainst(players: readonly number[], place: number, before: ReadonlyMap<number, Rating>): Rating {
  const ratingOf = (at: number) => before.get(players[at] as number) ?? { ...START, fairs: 0 }
  const own = ratingOf(place)
  const games: [number, number, number][] = []
  for (let at = Math.max(0, place - MEETS); at <= Math.min(players.length - 1, place + MEETS); at++) {
    if (at !== place) games.push([ratingOf(at).rating, ratingOf(at).deviation, at > place ? 1 : 0])
  }
  const { rating, rd, vol } = rate(own.rating, own.deviation, own.volatility, games)
  return { rating, deviation: rd, volatility: vol, fairs: own.fairs + 1 }
}
