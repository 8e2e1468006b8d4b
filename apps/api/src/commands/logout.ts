import type { DatabaseClient } from '@papermoon/db'
import { recordOperatorEvent } from '../security/operator-events.ts'
import { findUser } from './find-user.ts'
import { deleteSessions } from './store.ts'

/** Ends every session of a player. Returns what was done; throws `CommandError`. */
export async function logout({ db }: DatabaseClient, user: string): Promise<string> {
  const { id, name } = await findUser(db, user)
  const ended = await db.transaction().execute(async (tx) => {
    await recordOperatorEvent(tx, { userId: id, kind: 'logged_out_by_operator' })
    return await deleteSessions(tx, id)
  })
  if (ended === 0) return `${name} was not signed in anywhere.`
  return `${name} is signed out: ${ended === 1 ? '1 session is' : `${ended} sessions are`} ended.`
}
