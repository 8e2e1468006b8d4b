import type { Done } from '@papermoon/contract/auth'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'
import { requireCookie } from './begin-session.ts'
import { deleteSession } from './store.ts'

/** Ends the session the call came with, and its live sockets. Does nothing for a guest. */
export async function logout(ctx: Context): Promise<Done> {
  const cookie = requireCookie(ctx, 'session')
  if (ctx.cookies.session.token !== null) {
    const tokenHash = hashSecret(ctx.cookies.session.token)
    const userId = await deleteSession(ctx.app.platform.db, tokenHash)
    ctx.app.accounts.sessions.cache.revoke(toCredentialId(tokenHash))
    cookie.clear()
    if (userId !== null) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'signed_out' })
  }
  return { ok: true }
}
