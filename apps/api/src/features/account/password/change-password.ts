import type { ChangePasswordInput, PasswordChanged } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { changeAccount } from '../change-account.ts'
import { assertSamePassword, checkPassword } from '../confirm/confirm.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { endKeys, endSessions, forgetCredentials } from '../end-credentials.ts'
import { requireCookie, trustBrowser } from '../sign-in/begin-session.ts'
import { findPersonal, replaceToken, updatePassword } from '../store.ts'
import { assertStrongPassword } from './password-strength.ts'

/**
 * Sets a new password. Every other session of the player ends, with its live sockets. If requested, every API key ends,
 * too. This session continues with a new token, so a copy of the old one is useless. Throws `WrongPasswordError`,
 * `WeakPasswordError`, `RateLimitedError`, `PasswordQueueFullError`, and `NeedsHttpError` over a WebSocket.
 */
export async function changePassword(
  ctx: Context,
  userId: UserId,
  input: ChangePasswordInput,
): Promise<PasswordChanged> {
  const { app, cookies } = ctx
  const writer = requireCookie(ctx, 'session')
  const oldHash = await checkPassword(ctx, userId, input.password)
  await assertStrongPassword(input.newPassword, await findPersonal(app.platform.db, userId))
  const newHash = await app.accounts.passwords.hash(ctx.ip, input.newPassword)
  const own = hashSecret(cookies.session.token ?? '')
  const token = newSecret()
  const next = hashSecret(token)
  const now = app.platform.clock.now()
  const { others, keys, expiresAt } = await changeAccount(ctx, userId, async (tx, record) => {
    await assertSamePassword(tx, userId, oldHash)
    const expiresAt = await replaceToken(tx, { old: own, next, now, hasPrefix: writer.hasPrefix })
    const others = await endSessions(tx, userId, next)
    const keys = input.revokeKeys ? await endKeys(tx, userId) : []
    await updatePassword(tx, userId, newHash)
    await record('password_changed', { sessionsEnded: others.length, keysRevoked: keys.length })
    return { others, keys, expiresAt }
  })
  forgetCredentials(app, { sessions: [own, ...others], apiKeys: keys })
  writer.set(token, Math.floor((expiresAt.getTime() - now.getTime()) / 1_000))
  trustBrowser(ctx, newHash)
  return { ok: true, sessionsEnded: others.length, keysRevoked: keys.length }
}
