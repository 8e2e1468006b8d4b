import type { Decided, EndFairInput, FoundThing } from '@papermoon/contract/admin'
import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { type Act, appendAct } from '../moderation/public.ts'
import { FairNotFoundError } from './errors.ts'
import { endFair } from './open-fair.ts'
import { recomputeRatings } from './rating.ts'
import { lockFair, lockPools } from './store.ts'

const LISTED_MAX = 50

/** Returns the latest fairs of all kinds for operators. */
export async function listAllFairs({ platform: { db } }: App): Promise<FoundThing[]> {
  const { rows } = await sql<FoundThing>`
    select f.id, f.name as title, concat(f.kind, ' by ', coalesce(h.username, 'the house')) as note, f.state
      from fairs f left join users h on h.id = f.host_id where f.id > 1 order by f.id desc limit ${LISTED_MAX}`.execute(
    db,
  )
  return rows
}

/** Ends or voids a fair and writes this to the moderation log. A fair that has ended does not change. */
export async function endByOperator(
  db: Db,
  { fairId, isVoid, ...by }: EndFairInput & Pick<Act, 'actor' | 'now'>,
): Promise<Decided> {
  const logId = await db.transaction().execute(async (tx) => {
    const fair = await tx.selectFrom('fairs').select(['host_id', 'name']).where('id', '=', fairId).executeTakeFirst()
    if (fair === undefined) throw new FairNotFoundError()
    if (isVoid) await voidFair(tx, fairId, by.reason)
    else await endFair(tx, fairId)
    return await appendAct(tx, {
      ...by,
      act: isVoid ? 'void' : 'end',
      kind: 'fair',
      targetId: fairId,
      concernedId: fair.host_id,
      words: fair.name,
    })
  })
  return { logId }
}

/**
 * Makes a fair void. The fair ends now, its medals are removed, and ratings are computed again without it. A fair that
 * is already void does not change.
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
  // Keep the points of a closed week, because the groups of the next week were drawn from them.
  await sql`
    update fair_results r set league_points = 0 from fairs f
     where r.fair_id = ${id} and f.id = r.fair_id and not exists (
       select from league_members where place is not null and week + 7 > (f.bell_at at time zone 'utc')::date)`.execute(
    tx,
  )
  await recomputeRatings(tx)
}
