import type { DatabaseClient } from '@papermoon/db'
import { endCredentials } from '../../features/account/end-credentials.ts'
import { lockUser } from '../../features/account/own-rows.ts'
import { recordOperatorEvent } from '../../features/account/records/account-events.ts'
import { findUser } from './find-user.ts'

/** Ends every session and API key of a player. Throws `CommandError`. */
export async function logout({ db }: DatabaseClient, user: string): Promise<string> {
  const { id, name } = await findUser(db, user)
  const { sessions, keys } = await db.transaction().execute(async (tx) => {
    // Logins and key creations lock the same row, so they cannot run at the same time as this command.
    await lockUser(tx, id)
    const ended = await endCredentials(tx, id)
    const detail = { sessions: ended.sessions.length, keys: ended.apiKeys.length }
    await recordOperatorEvent(tx, { userId: id, kind: 'logged_out_by_operator', detail })
    return detail
  })
  const ended = [count(sessions, 'session'), count(keys, 'API key')].filter((text) => text !== null)
  if (ended.length === 0) return `${name} had no session and no API key.`
  return `${name} is logged out. Ended: ${ended.join(' and ')}.`
}

function count(number: number, what: string): string | null {
  return number === 0 ? null : `${number} ${number === 1 ? what : `${what}s`}`
}
