import { randomUUID } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { lockPosition, tellPlayers } from '../notices/public.ts'
import { type Act, appendAct } from './log.ts'

/** Acts that respond to a player. They do not change the outcome of a report. */
const ANSWERS = ['undo', 'refuse-appeal']

/**
 * Appends an act to the log, and notifies the player whom it concerns and those who reported the thing. Some acts, such
 * as a note, notify nobody. Returns the row's id.
 */
export async function recordAct(tx: Tx, act: Act): Promise<number> {
  // Notify before locking the log, because nothing may wait while that lock is held.
  await tell(tx, act)
  return await appendAct(tx, act)
}

async function tell(tx: Tx, { act, kind, concernedId, caseId = null }: Act): Promise<void> {
  const reporters =
    caseId === null || ANSWERS.includes(act)
      ? []
      : await tx.selectFrom('reports').select('user_id').where('case_id', '=', caseId).execute()
  const told = [
    ...reporters.map(({ user_id }) => ({ userId: user_id, isReport: 1 })),
    // Do not notify the accused player about a dismissed report, because nothing happened to them.
    ...(concernedId === null || act === 'dismiss' ? [] : [{ userId: concernedId, isReport: 0 }]),
  ]
  if (told.length === 0) return
  await lockPosition(tx)
  // Each act has its own notice, and the newest notice shows the current state.
  const once = randomUUID()
  await tellPlayers(
    tx,
    told.map(({ userId, isReport }) => ({
      userId: userId as UserId,
      kind: 'moderation',
      key: `${act} ${once} ${userId} ${isReport}`,
      tokenId: null,
      actorId: null,
      seq: null,
      detail: { act, about: kind, isReport },
    })),
  )
}
