import type { Tx } from '@papermoon/db'
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
  await recomputeRatings(tx)
}
