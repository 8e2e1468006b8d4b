import type { FairsDatabase } from '@papermoon/db'
import type { Kysely } from 'kysely'
import { awardMedals, findSeated, type Medal, toLeaguePoints } from './medals.ts'
import { updateRatings } from './rating.ts'
import { computeStandings } from './standings.ts'
import { lockFair, lockPools } from './store.ts'

/** Share of its time without a running server above which a fair is void. */
const LOST_PART_MAX = 0.1

/**
 * Stores the results of a fair after its bell, once on any node. Waits for the pools' locks, so it includes trades that
 * began before the bell, and no trade can follow.
 */
export async function settleFair(db: Kysely<FairsDatabase>, id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockPools(tx as never, id)
    const fair = await lockFair(tx as never, id)
    if (fair === undefined || fair.state !== 'open' || fair.bell_at === null || fair.now < fair.bell_at) return
    const lastedMs = fair.bell_at.getTime() - fair.starts_at.getTime()
    const isVoid = fair.lost_ms > lastedMs * LOST_PART_MAX
    const { entrants } = await computeStandings(tx, id)
    const seated = isVoid || fair.kind === 'sandbox' ? [] : await findSeated(tx, id, entrants)
    const medals: ReadonlyMap<number, Medal> = awardMedals(fair.kind, seated)
    const points = fair.kind === 'arena' ? toLeaguePoints(seated) : new Map<number, number>()
    if (entrants.length > 0) {
      await tx
        .insertInto('fair_results')
        .values(
          entrants.map((row, index) => ({
            fair_id: id,
            user_id: row.userId,
            place: index + 1,
            standing: row.standing,
            score: row.score,
            is_ranked: row.isRanked,
            is_bot: row.isBot,
            has_left: row.hasLeft,
            trades: row.trades,
            medal: medals.get(row.userId)?.rank ?? null,
            is_paper: medals.get(row.userId)?.isPaper ?? false,
            league_points: points.get(row.userId) ?? 0,
          })),
        )
        .execute()
    }
    const note = isVoid
      ? `This fair does not count, because the server was down for ${Math.round(fair.lost_ms / 1_000)} seconds.`
      : fair.note
    await tx
      .updateTable('fairs')
      .set({ state: isVoid ? 'void' : 'settled', note, settled_at: fair.now, made_from: null })
      .where('id', '=', id)
      .execute()
    await updateRatings(tx as never, id)
  })
}
