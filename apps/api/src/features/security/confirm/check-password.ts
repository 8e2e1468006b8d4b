import type { UserId } from '@papermoon/engine'
import { NotSignedInError } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { hashSecret, toCredentialId } from '../../../security/credentials.ts'
import { WrongPasswordError } from '../errors.ts'
import { findPasswordHash } from '../store.ts'

/**
 * Checks that the caller knows the player's password, and returns its hash. Only wrong tries count, those of each session apart: who
 * has one session keeps nobody with another from theirs. Throws `WrongPasswordError`, `RateLimitedError`, `PasswordQueueFullError`,
 * and `NotSignedInError` for a call without a session.
 */
export async function checkPassword(ctx: Context, userId: UserId, password: string): Promise<string> {
  const { db, limits, passwords } = ctx.app
  if (ctx.sessionToken === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(ctx.sessionToken))
  await limits.spend(ctx, 'confirm')
  // Spent before the password is looked at, so that many tries at the same moment are bounded, too.
  await limits.spendAccount(ctx, 'confirm', session)
  const passwordHash = await findPasswordHash(db, userId)
  const fits = await passwords.fits(password, passwordHash)
  if (passwordHash === undefined || !fits) throw new WrongPasswordError()
  await limits.refundAccount('confirm', session)
  return passwordHash
}
