import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { endFair } from './open-fair.ts'
import { recomputeRatings } from './rating.ts'
import { lockFair, lockPools } from './store.ts'

/**
 * Voids a fair: it ends now, its medals are removed, and ratings are computed without it. A void fair does not change.
 */
export async function voidFair(tx: Tx, id: number, reason: string): Promise<void> {
  await lockPools(tx, id)
  const fair = await lockFair(tx, id)
  if (fair === undefined || fair.state === 'void') return
  await endFair(tx, id)
  await tx
    .updateTable('fairs')
    .set({ state: 'void', note: reason, settled_at: fair.settled_at ?? fair.now, made_from: null })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('fair_results')
    .set({ medal: null, is_paper: false, rating_before: null, rating_after: null })
    .where('fair_id', '=', id)
    .execute()
  // Points of a week that is closed stay, like the groups that were drawn by them.
  await sql`
    update fair_results r set league_points = 0 from fairs f
     where r.fair_id = ${id} and f.id = r.fair_id and not exists (
       select from league_members where place is not null and week + 7 > (f.bell_at at time zone 'utc')::date)`.execute(
    tx,
  )
  await recomputeRatings(tx)
}
