import type { Done, SessionId, SessionsEnded } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { deleteOtherSessions, deleteSession, findSessionId } from '../store.ts'

/**
 * Ends one of a player's sessions, which may be the caller's, with its live sockets. Throws `ConfirmationNeededError` unless
 * it is, and `NotFoundError` for another player's.
 */
export async function endSession(ctx: Context, userId: UserId, id: SessionId): Promise<Done> {
  const { app, cookies } = ctx
  const own = hashSecret(cookies.session.token ?? '')
  if ((await findSessionId(app.platform.db, own)) !== id) await requireRecentProof(ctx)
  const tokenHash = await app.platform.db.transaction().execute(async (tx) => {
    // Checked in the database: another node may have ended this session, and it must not end others then.
    await lockSession(tx, ctx, userId)
    const ended = await deleteSession(tx, userId, id)
    if (ended === null) throw new NotFoundError('You have no such session.')
    await recordAccountEvent(app, ctx, { userId, kind: 'session_ended', detail: { sessions: 1 } }, tx)
    return ended
  })
  app.accounts.sessions.cache.revoke(toCredentialId(tokenHash))
  if (own.equals(tokenHash)) cookies.session.writer?.clear()
  return { ok: true }
}

/**
 * Ends a player's sessions except the caller's, with their live sockets. Throws `ConfirmationNeededError`: a thief must not
 * sign the owner out.
 */
export async function endOtherSessions(ctx: Context, userId: UserId): Promise<SessionsEnded> {
  await requireRecentProof(ctx)
  const { app } = ctx
  const own = hashSecret(ctx.cookies.session.token ?? '')
  const ended = await app.platform.db.transaction().execute(async (tx) => {
    // Checked in the database: another node may have ended this session, and it must not end others then.
    await lockSession(tx, ctx, userId)
    const others = await deleteOtherSessions(tx, userId, own)
    if (others.length > 0) {
      const detail = { sessions: others.length }
      await recordAccountEvent(app, ctx, { userId, kind: 'session_ended', detail }, tx)
    }
    return others
  })
  for (const hash of ended) app.accounts.sessions.cache.revoke(toCredentialId(hash))
  return { ok: true, sessionsEnded: ended.length }
}
