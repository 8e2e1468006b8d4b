import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { CallCookies, Context, CookieWriter } from '../../../context.ts'
import { NeedsHttpError } from '../../../errors.ts'
import { assertNotFrozen } from '../account-status.ts'
import { hashSecret, newSecret, toCredentialId } from '../credentials.ts'
import { SESSION_MAX_MS, SESSION_MS } from '../sessions/session-token.ts'
import { describeBrowser } from './browser-name.ts'
import { recordBrowser } from './browsers.ts'
import { deleteSession, insertSession } from './store.ts'
import { trustBrowser } from './trusted-browser.ts'

/** Returns one of this call's cookies. Throws `NeedsHttpError` if the transport cannot set cookies. */
export function requireCookie({ cookies }: Context, name: keyof CallCookies): CookieWriter {
  const { writer } = cookies[name]
  if (writer === null) throw new NeedsHttpError()
  return writer
}

/** Data to send to the browser when the transaction that begins a session is committed. */
export interface BegunSession {
  readonly token: string
  readonly browserToken: string
}

/**
 * Begins a session and ends the call's previous one, so that a token planted by someone else is useless. Pass the
 * result to `setSessionCookie` after the commit. Throws `AccountFrozenError`, so call this only after the player has
 * proven who they are.
 */
export async function beginSession(tx: Tx, ctx: Context, userId: UserId): Promise<BegunSession> {
  await assertNotFrozen(tx, userId)
  const token = newSecret()
  const now = ctx.app.platform.clock.now()
  const times = { created_at: now, expires_at: new Date(now.getTime() + SESSION_MS) }
  // A session that began over http continues when its server gets https, and with it cookies with a prefix.
  const plain_cookie_until = requireCookie(ctx, 'session').hasPrefix ? null : new Date(now.getTime() + SESSION_MAX_MS)
  const seen = { address: ctx.ip, browser: describeBrowser(ctx.userAgent) }
  await insertSession(tx, { token_hash: hashSecret(token), user_id: userId, ...times, plain_cookie_until, ...seen })
  if (ctx.cookies.session.token !== null) await deleteSession(tx, hashSecret(ctx.cookies.session.token))
  const browserToken = await recordBrowser(tx, { userId, token: ctx.cookies.browser.token, now })
  return { token, browserToken }
}

/**
 * Sets the new session's cookies, makes the account (which has this password hash) trust this browser, and drops the
 * old token from the cache. Call this after the commit.
 */
export function setSessionCookie(ctx: Context, { token, browserToken }: BegunSession, passwordHash: string): void {
  if (ctx.cookies.session.token !== null)
    ctx.app.accounts.sessions.cache.revoke(toCredentialId(hashSecret(ctx.cookies.session.token)))
  requireCookie(ctx, 'session').set(token)
  trustBrowser(ctx, passwordHash)
  ctx.cookies.browser.writer?.set(browserToken)
}
