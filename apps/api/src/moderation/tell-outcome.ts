import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { lockPosition } from '../notices/notice-position.ts'
import { tellPlayers } from '../notices/tell-players.ts'

interface Outcome {
  readonly act: string
  /** What it was about: a post, token, name or picture. */
  readonly about: string
  readonly concernedId: number | null
  /** Whose reporters hear of it; null: only whom it concerns. */
  readonly caseId: number | null
}

/** Tells whoever reported something, and whom it concerns, what came of it. Before the act is logged: both lock. */
export async function tellOutcome(tx: Tx, { act, about, concernedId, caseId }: Outcome): Promise<void> {
  const reporters =
    caseId === null ? [] : await tx.selectFrom('reports').select('user_id').where('case_id', '=', caseId).execute()
  const told = [
    ...reporters.map(({ user_id }) => ({ userId: user_id, isReport: 1 })),
    // Nothing happened to whom a dismissed report was about.
    ...(concernedId === null || act === 'dismiss' ? [] : [{ userId: concernedId, isReport: 0 }]),
  ]
  if (told.length === 0) return
  await lockPosition(tx)
  await tellPlayers(
    tx,
    told.map(({ userId, isReport }) => ({
      ...{ userId: userId as UserId, kind: 'moderation', key: `${act} ${caseId ?? about} ${userId} ${isReport}` },
      ...{ tokenId: null, actorId: null, seq: null, detail: { act, about, isReport } },
    })),
  )
}
