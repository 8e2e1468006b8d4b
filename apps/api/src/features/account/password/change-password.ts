import type { ChangePasswordInput, PasswordChanged } from '@papermoon/contract/security'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { hashSecret, newSecret, toCredentialId } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'
import { NeedsHttpError } from '../../../errors.ts'
import { checkPassword } from '../confirm/check-password.ts'
import { lockAccount } from '../lock-account.ts'
import { trustBrowser } from '../sign-in/trusted-browser.ts'
import { deleteKeys, deleteOtherSessions, findPersonal, replaceToken, updatePassword } from '../store.ts'
import { assertStrongPassword } from './password-strength.ts'

/**
 * Sets a new password. Ends every other session and, if asked, every API key, with their live sockets. This session
 * continues with a new token, so a copy of the old one is useless. Throws `WrongPasswordError`, `WeakPasswordError`,
 * `RateLimitedError`, `PasswordQueueFullError`, and `NeedsHttpError` over a WebSocket.
 */
export async function changePassword(
  ctx: Context,
  userId: UserId,
  input: ChangePasswordInput,
): Promise<PasswordChanged> {
  const { app, cookies } = ctx
  const { writer } = cookies.session
  if (writer === null) throw new NeedsHttpError()
  const oldHash = await checkPassword(ctx, userId, input.password)
  await assertStrongPassword(input.newPassword, await findPersonal(app.platform.db, userId))
  const newHash = await app.accounts.passwords.hash(ctx.ip, input.newPassword)
  const { hasPrefix } = writer
  const change = { userId, oldHash, newHash, token: newSecret(), hasPrefix, revokeKeys: input.revokeKeys }
  const { sessions, keys, expiresAt } = await app.platform.db.transaction().execute((tx) => replace(tx, ctx, change))
  for (const hash of sessions) app.accounts.sessions.cache.revoke(toCredentialId(hash))
  for (const hash of keys) app.accounts.apiKeys.cache.revoke(toCredentialId(hash))
  writer.set(change.token, Math.floor((expiresAt.getTime() - app.platform.clock.now().getTime()) / 1_000))
  trustBrowser(ctx, newHash)
  mailAccountChange(app, { userId, kind: 'password_changed', caller: ctx })
  // `sessions` includes the old token of this session.
  return { ok: true, sessionsEnded: sessions.length - 1, keysRevoked: keys.length }
}

interface Change {
  readonly userId: UserId
  readonly oldHash: string
  readonly newHash: string
  readonly token: string
  readonly hasPrefix: boolean
  readonly revokeKeys: boolean
}

interface Replaced {
  /** Hashes of the revoked session tokens. */
  readonly sessions: readonly Buffer[]
  readonly keys: readonly Buffer[]
  readonly expiresAt: Date
}

async function replace(tx: Tx, ctx: Context, change: Change): Promise<Replaced> {
  const { userId, oldHash, newHash, hasPrefix } = change
  const own = hashSecret(ctx.cookies.session.token ?? '')
  const next = hashSecret(change.token)
  await lockAccount(tx, ctx, { userId, passwordHash: oldHash })
  const expiresAt = await replaceToken(tx, { old: own, next, now: ctx.app.platform.clock.now(), hasPrefix })
  const others = await deleteOtherSessions(tx, userId, next)
  const keys = change.revokeKeys ? await deleteKeys(tx, userId) : []
  await updatePassword(tx, userId, newHash)
  const detail = { sessionsEnded: others.length, keysRevoked: keys.length }
  await recordAccountEvent(ctx.app, ctx, { userId, kind: 'password_changed', detail }, tx)
  return { sessions: [...others, own], keys, expiresAt }
}
