import type { SessionsEnded } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { deleteOtherSessions } from '../store.ts'

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
