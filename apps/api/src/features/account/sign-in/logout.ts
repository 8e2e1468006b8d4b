import type { Done } from '@papermoon/contract/auth'
import type { Context } from '../../../context.ts'
import { hashSecret, toCredentialId } from '../credentials.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { requireCookie } from './begin-session.ts'
import { deleteSession } from './store.ts'

/** Ends the session of this call and its live sockets. Does nothing for a guest. */
export async function logout(ctx: Context): Promise<Done> {
  requireCookie(ctx, 'session')
  if (ctx.cookies.session.token !== null) {
    const tokenHash = hashSecret(ctx.cookies.session.token)
    const userId = await deleteSession(ctx.app.platform.db, tokenHash)
    ctx.app.accounts.sessions.cache.revoke(toCredentialId(tokenHash))
    clearBrowser(ctx)
    if (userId !== null) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'signed_out' })
  }
  return { ok: true }
}

/**
 * Removes the session's cookie, and the account's pages and responses from the browser's cache. Does not clear
 * `storage` or `cookies`, because this browser must keep its colours, stars, service worker and trust marker.
 */
export function clearBrowser(ctx: Context): void {
  ctx.cookies.session.writer?.clear()
  ctx.header('clear-site-data', '"cache"')
}
