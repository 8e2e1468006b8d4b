import type { Session, SessionId } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { hashSecret } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'
import { findPlayerSessions } from '../store.ts'

/** A player's sessions: the caller's first, then the most recently used. */
export async function listSessions({ app, cookies }: Context, userId: UserId): Promise<Session[]> {
  const own = hashSecret(cookies.session.token ?? '')
  const now = app.platform.clock.now()
  const rows = await findPlayerSessions(app.platform.db, userId, now)
  const sessions = rows.map((row) => {
    const isThis = row.token_hash.equals(own)
    return {
      id: row.id as SessionId,
      isThis,
      browser: row.browser,
      address: row.address,
      createdAt: row.created_at.toISOString(),
      lastUsedAt: (isThis ? now : row.last_used_at).toISOString(),
      expiresAt: row.expires_at.toISOString(),
    }
  })
  return [...sessions.filter(({ isThis }) => isThis), ...sessions.filter(({ isThis }) => !isThis)]
}
