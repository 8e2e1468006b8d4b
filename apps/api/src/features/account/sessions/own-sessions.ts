import type { Done, Session, SessionId, SessionsEnded } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { changeAccount } from '../change-account.ts'
import { hashSecret } from '../credentials.ts'
import { endSessions, forgetCredentials } from '../end-credentials.ts'
import { clearBrowser } from '../sign-in/logout.ts'
import { requireRecentProof } from '../step-up.ts'
import { deleteSession, findPlayerSessions, findSessionId } from '../store.ts'

/** Lists a player's sessions: the caller's first, then the most recently used. */
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

/**
 * Ends one of a player's sessions with its live sockets. The session may be the caller's own. For any other session,
 * throws `ConfirmationNeededError` without a recent confirmation, and `NotFoundError` if the session is another
 * player's.
 */
export async function endSession(ctx: Context, userId: UserId, id: SessionId): Promise<Done> {
  const { app, cookies } = ctx
  const own = hashSecret(cookies.session.token ?? '')
  if ((await findSessionId(app.platform.db, own)) !== id) await requireRecentProof(ctx)
  const tokenHash = await changeAccount(ctx, userId, async (tx, record) => {
    const ended = await deleteSession(tx, userId, id)
    if (ended === null) throw new NotFoundError('You have no such session.')
    await record('session_ended', { sessions: 1 })
    return ended
  })
  forgetCredentials(app, { sessions: [tokenHash] })
  if (own.equals(tokenHash)) clearBrowser(ctx)
  return { ok: true }
}

/**
 * Ends all of a player's sessions except the caller's, with their live sockets. Throws `ConfirmationNeededError`,
 * because a thief with a stolen cookie must not log the owner out.
 */
export async function endOtherSessions(ctx: Context, userId: UserId): Promise<SessionsEnded> {
  await requireRecentProof(ctx)
  const own = hashSecret(ctx.cookies.session.token ?? '')
  const ended = await changeAccount(ctx, userId, async (tx, record) => {
    const others = await endSessions(tx, userId, own)
    if (others.length > 0) await record('session_ended', { sessions: others.length })
    return others
  })
  forgetCredentials(ctx.app, { sessions: ended })
  return { ok: true, sessionsEnded: ended.length }
}
