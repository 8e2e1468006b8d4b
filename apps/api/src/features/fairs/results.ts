import type { FairEntrant } from '@papermoon/contract/fairs'
import { type FairsDatabase, formatNumeric } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { type Kysely, sql } from 'kysely'
import { MAY_RANK } from '../../database/may-rank.ts'

/** Returns a fair's results, the best first. Empty while the fair runs. */
export async function findResults(db: Kysely<FairsDatabase>, fairId: number): Promise<FairEntrant[]> {
  const rows = await db
    .selectFrom('fair_results as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('r')
    .select(['u.username', sql<number | null>`case when ${MAY_RANK} then r.medal end`.as('shown_medal')])
    .where('r.fair_id', '=', fairId)
    .orderBy('r.place')
    .execute()
  return rows.map((row) => ({
    place: row.place,
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
    standing: formatNumeric(row.standing),
    score: formatNumeric(row.score),
    isRanked: row.is_ranked,
    hasLeft: row.has_left,
    trades: row.trades,
    medal: row.shown_medal,
    isPaper: row.is_paper,
  }))
}
