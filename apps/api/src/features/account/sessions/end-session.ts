import type { Done, SessionId } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { deleteSession, findSessionId } from '../store.ts'

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
