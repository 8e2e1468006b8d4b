import type { Decided, EndFairInput, FoundThing } from '@papermoon/contract/admin'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { type Act, appendAct } from '../moderation/public.ts'
import { FairNotFoundError } from './errors.ts'
import { endFair } from './open-fair.ts'
import { voidFair } from './void-fair.ts'

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

/** Ends or voids a fair and logs it. A fair that has ended does not change. */
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
