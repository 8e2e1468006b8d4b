import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Transaction } from 'kysely'
import type { Context, TokenCookie } from '../../context.ts'
import { NeedsHttpError } from '../../errors.ts'
import { assertNotFrozen } from '../../security/accounts/account-status.ts'
import { recordBrowser } from '../../security/accounts/browsers.ts'
import { describeBrowser } from '../../security/browser-name.ts'
import { hashSecret, newSecret, toCredentialId } from '../../security/credentials.ts'
import { trustBrowser } from '../../security/trusted-browser.ts'
import { SESSION_MAX_MS, SESSION_MS } from './session-token.ts'
import { deleteSession, insertSession } from './store.ts'

/** The call's way to set the session's cookie. Throws `NeedsHttpError` where there is none. */
export function requireSessionCookie(ctx: Context): TokenCookie {
  if (ctx.sessionCookie === null) throw new NeedsHttpError()
  return ctx.sessionCookie
}

/** The call's way to set the cookie of a password reset. Throws `NeedsHttpError` where there is none. */
export function requireResetCookie(ctx: Context): TokenCookie {
  if (ctx.resetCookie === null) throw new NeedsHttpError()
  return ctx.resetCookie
}

/** What the browser gets once a session's transaction is committed. */
export interface BegunSession {
  readonly token: string
  readonly browserToken: string
}

/**
 * Begins a session and ends the one the call came with, so that a token somebody else planted is worth nothing.
 * Hand what it returns to `handOver` after the commit. Throws `AccountFrozenError`: call it once the player has proven
 * who they are.
 */
export async function beginSession(tx: Transaction<Database>, ctx: Context, userId: UserId): Promise<BegunSession> {
  await assertNotFrozen(tx, userId)
  const token = newSecret()
  const now = ctx.app.clock.now()
  const expiresAt = new Date(now.getTime() + SESSION_MS)
  // Begun over http it goes on when its server gets https, and with it a cookie with a prefix.
  const plainCookieUntil = requireSessionCookie(ctx).hasPrefix ? null : new Date(now.getTime() + SESSION_MAX_MS)
  const seen = { address: ctx.ip, browser: describeBrowser(ctx.userAgent) }
  await insertSession(tx, { tokenHash: hashSecret(token), userId, now, expiresAt, plainCookieUntil, ...seen })
  if (ctx.sessionToken !== null) await deleteSession(tx, hashSecret(ctx.sessionToken))
  const browserToken = await recordBrowser(tx, { userId, token: ctx.browserToken, now })
  return { token, browserToken }
}

/**
 * After the commit: the browser gets the new token and is known to the account, whose password's hash this is; nothing
 * remembers the old token.
 */
export function setSessionCookie(ctx: Context, { token, browserToken }: BegunSession, passwordHash: string): void {
  if (ctx.sessionToken !== null) ctx.app.sessions.revoke(toCredentialId(hashSecret(ctx.sessionToken)))
  requireSessionCookie(ctx).set(token)
  trustBrowser(ctx, passwordHash)
  ctx.browserCookie?.set(browserToken)
}
