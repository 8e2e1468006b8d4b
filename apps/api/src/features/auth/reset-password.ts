import type { Context } from '../../context.ts'
import { credentialIdOf, hashSecret } from '../../credentials.ts'
import { RateLimitedError } from '../../errors.ts'
import type { UserId } from '../../ids.ts'
import { recordAccountEvent } from '../../security/account-events.ts'
import { sendNotice } from '../../security/notices.ts'
import { assertNotFrozen } from '../../security/standing.ts'
import { assertStrongPassword } from '../../security/strong-password.ts'
import { cookieOf, resetCookieOf } from './begin-session.ts'
import { emailKey } from './email-key.ts'
import { ResetCodeError } from './errors.ts'
import { makeKnown } from './known-browser.ts'
import { accountKeyOf, GUESS_WINDOW_MS } from './reset-code.ts'
import { changePassword, findNewestReset, findPersonal, type OpenReset, spendGuess, spendTry } from './reset-store.ts'
import type { Done, ResetPasswordInput } from './schemas.ts'

/**
 * Sets a new password with a reset code and ends every session and every API key of the player, and their live sockets:
 * whoever had the account may have made keys. The browser is known to the account from then on. The browser that asked
 * needs only the code, and has five tries; any other names the e-mail, too, and shares 15 tries a day with all such.
 * Throws `WeakPasswordError`, `AccountFrozenError`, `ResetCodeError`, after the same work whatever was wrong, `RateLimitedError`, and
 * `PasswordQueueFullError`.
 */
export async function resetPassword(ctx: Context, input: ResetPasswordInput): Promise<Done> {
  const cookie = resetCookieOf(ctx)
  const { db, passwords, sessions, apiKeys, clock } = ctx.app
  // Before a try is spent, as far as nothing about the account is needed.
  await assertStrongPassword(input.newPassword, input.email === undefined ? [] : [input.email])
  const reset = await openReset(ctx, input.email)
  const fits = await passwords.fits(input.token, reset?.codeHash)
  if (!fits || reset === undefined || reset.userId === null) {
    recordRefusal(ctx, reset?.userId ?? null)
    throw new ResetCodeError()
  }
  const { userId, tokenHash } = reset
  await assertNotFrozen(db, userId)
  await assertStrongPassword(input.newPassword, await findPersonal(db, userId))
  const passwordHash = await passwords.hash(input.newPassword)
  const change = { userId, tokenHash, passwordHash, now: clock.now() }
  const ended = await db.transaction().execute(async (tx) => {
    const changed = await changePassword(tx, change)
    if (changed !== null) await recordAccountEvent(ctx.app, ctx, { userId, kind: 'password_reset' }, tx)
    return changed
  })
  if (ended === null) throw new ResetCodeError()
  for (const hash of ended.sessions) sessions.ended(credentialIdOf(hash))
  for (const hash of ended.apiKeys) apiKeys.ended(credentialIdOf(hash))
  cookie.clear()
  makeKnown(ctx, passwordHash)
  sendNotice(ctx.app, { userId, kind: 'password_reset', caller: ctx })
  const own = ctx.sessionToken === null ? null : hashSecret(ctx.sessionToken)
  if (ended.sessions.some((hash) => own?.equals(hash))) cookieOf(ctx).clear()
  return { ok: true }
}

/** Not awaited: whether there was a reset must not show in how long the answer takes. */
function recordRefusal(ctx: Context, userId: UserId | null): void {
  if (userId !== null) void recordAccountEvent(ctx.app, ctx, { userId, kind: 'reset_refused' })
  else ctx.app.securityLog.refused({ kind: 'reset_refused', userId: null, ip: ctx.ip })
}

/** The reset that a code may fit, one try spent. */
async function openReset(ctx: Context, email: string | undefined): Promise<OpenReset | undefined> {
  const { db, clock } = ctx.app
  const now = clock.now()
  const accountKey = email === undefined ? null : accountKeyOf(emailKey(email))
  if (ctx.resetToken !== null) {
    const own = await spendTry(db, { tokenHash: hashSecret(ctx.resetToken), accountKey, now })
    if (own !== undefined) return own
  }
  if (accountKey === null) return undefined
  const oldest = await spendGuess(db, accountKey, now)
  if (oldest !== null) throw new RateLimitedError(secondsUntil(oldest.getTime() + GUESS_WINDOW_MS, now))
  return await findNewestReset(db, accountKey, now)
}

function secondsUntil(atMs: number, now: Date): number {
  return Math.max(1, Math.ceil((atMs - now.getTime()) / 1_000))
}
