import type { Tx } from '@papermoon/db'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { hashSecret, toCredentialId } from '../credentials.ts'
import { WrongPasswordError } from '../errors.ts'
import { findPasswordHash } from '../store.ts'

/**
 * Checks the player's password and returns its hash. Only wrong attempts count, separately per session, so a stolen
 * session cannot lock out the others. Throws `WrongPasswordError`, `RateLimitedError`, `PasswordQueueFullError`, and
 * `NotSignedInError` for a call without a session.
 */
export async function checkPassword(ctx: Context, userId: UserId, password: string): Promise<string> {
  const {
    platform: { db },
    accounts: { limits, passwords },
  } = ctx.app
  if (ctx.cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(ctx.cookies.session.token))
  await limits.spend(ctx, 'confirm')
  // Count the attempt before checking the password, so that concurrent attempts are limited, too.
  await limits.spendAccount(ctx, 'confirm', session)
  const passwordHash = await findPasswordHash(db, userId)
  const fits = await passwords.fits(ctx.ip, password, passwordHash)
  if (passwordHash === undefined || !fits) throw new WrongPasswordError()
  await limits.refundAccount('confirm', session)
  return passwordHash
}

/** Throws `WrongPasswordError` if the player's password is no longer the one that the caller gave. */
export async function assertSamePassword(tx: Tx, userId: UserId, passwordHash: string): Promise<void> {
  if ((await findPasswordHash(tx, userId)) !== passwordHash) throw new WrongPasswordError()
}
