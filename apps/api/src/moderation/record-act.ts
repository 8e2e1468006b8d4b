import { randomUUID } from 'node:crypto'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { lockPosition } from '../notices/notice-position.ts'
import { tellPlayers } from '../notices/tell-players.ts'
import { type Act, appendAct } from './log.ts'

/** Acts that answer a player: what came of a report does not change by them. */
const ANSWERS = ['undo', 'refuse-appeal']

/**
 * Appends an act to the log, and tells the player whom it concerns and those who reported the thing. Of some acts, such as
 * a note, nobody is told. Returns the row's id.
 */
export async function recordAct(tx: Tx, act: Act): Promise<number> {
  // Before the log is locked: nothing may wait while that lock is held.
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
    // Nothing happened to whom a dismissed report was about.
    ...(concernedId === null || act === 'dismiss' ? [] : [{ userId: concernedId, isReport: 0 }]),
  ]
  if (told.length === 0) return
  await lockPosition(tx)
  // Each act is told by itself: the newest says how the thing stands.
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
