import type { Db } from '@papermoon/db'
import { endFair } from './open-fair.ts'
import { recomputeRatings } from './rating.ts'
import { lockFair } from './store.ts'

/** Makes a fair not count: it ends now, its medals are gone, and ratings are as without it. False where it is void already. */
export async function voidFair(db: Db, id: number, reason: string): Promise<boolean> {
  const { state } = await db.selectFrom('fairs').select('state').where('id', '=', id).executeTakeFirstOrThrow()
  if (state === 'void') return false
  await endFair(db, id)
  await db.transaction().execute(async (tx) => {
    const fair = await lockFair(tx, id)
    if (fair === undefined) return
    await tx
      .updateTable('fairs')
      .set({ state: 'void', note: reason, settled_at: fair.settled_at ?? fair.now })
      .where('id', '=', id)
      .execute()
    await tx.updateTable('fair_results').set({ medal: null }).where('fair_id', '=', id).execute()
  })
  await recomputeRatings(db)
  return true
}
