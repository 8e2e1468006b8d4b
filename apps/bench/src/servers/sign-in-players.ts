import { hashSecret, insertSession, newSecret, SESSION_MS } from '@papermoon/api/testing'
import type { DatabaseClient } from '@papermoon/db'

/**
 * Name of the session cookie. The name must match the one in the API's `call-context.ts`, because the server would
 * otherwise reject every order.
 */
const SESSION_COOKIE = 'papermoon_session'

/**
 * Creates sessions for the players with ids from 1. The result is the same as after a login, but without password
 * hashing. Returns the players' `Cookie` headers.
 */
export async function signInPlayers({ db }: Pick<DatabaseClient, 'db'>, count: number): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    const cookies: string[] = []
    const now = new Date()
    const session = { created_at: now, expires_at: new Date(now.getTime() + SESSION_MS), browser: 'bench' }
    for (let id = 1; id <= count; id++) {
      const token = newSecret()
      await insertSession(tx, { ...session, token_hash: hashSecret(token), user_id: id })
      cookies.push(`${SESSION_COOKIE}=${token}`)
    }
    return cookies
  })
}
