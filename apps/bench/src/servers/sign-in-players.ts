import { hashSecret, insertSession, newSecret, SESSION_MS } from '@papermoon/api/testing'
import type { DatabaseClient } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'

/** Must match the API's `token-cookies.ts`, or every order is refused. */
const SESSION_COOKIE = 'papermoon_session'

/**
 * Creates sessions for the players with ids from 1, as signing in does but without password hashing. Returns their `Cookie`
 * headers.
 */
export async function signInPlayers(db: DatabaseClient['db'], count: number): Promise<string[]> {
  return await db.transaction().execute(async (tx) => {
    const cookies: string[] = []
    const now = new Date()
    const expiresAt = new Date(now.getTime() + SESSION_MS)
    const session = { now, expiresAt, address: '127.0.0.1', browser: 'bench', plainCookieUntil: null }
    for (let id = 1; id <= count; id++) {
      const token = newSecret()
      await insertSession(tx, { ...session, tokenHash: hashSecret(token), userId: id as UserId })
      cookies.push(`${SESSION_COOKIE}=${token}`)
    }
    return cookies
  })
}
