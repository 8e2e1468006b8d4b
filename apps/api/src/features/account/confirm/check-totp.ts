import { NotSignedInError, type UserId } from '@papermoon/engine'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import { lockUser } from '../../../accounts/own-rows.ts'
import type { Context } from '../../../context.ts'
import { SecondFactorInvalidError, WrongCodeError } from '../factors/errors.ts'
import { proveSecondFactor, spendFactorProof } from '../factors/second-factor.ts'
import type { SpendProof } from './spend-proof.ts'

/**
 * Checks a code of the player's authenticator app. Any session counts as a trusted browser. Wrong codes count
 * separately per session, so a stolen session cannot use up the player's tries. Throws `WrongCodeError`, also where
 * there is no app, `TooManyCodesError` and `RateLimitedError`.
 */
export async function checkTotp(ctx: Context, userId: UserId, digits: string): Promise<SpendProof> {
  const { app, cookies } = ctx
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(cookies.session.token))
  await app.accounts.limits.spend(ctx, 'confirm')
  await app.accounts.limits.spendAccount(ctx, 'confirm-code', session)
  const code = { kind: 'totp', digits } as const
  const proof = await proveSecondFactor(ctx, { userId, code, isKnown: true }).catch(asWrongCode)
  if (proof.kind !== 'totp') throw new WrongCodeError()
  await app.accounts.limits.refundAccount('confirm-code', session)
  return async (tx) => {
    await lockUser(tx, userId)
    await spendFactorProof(tx, userId, proof).catch(asWrongCode)
  }
}

/** The player stays signed in, so it must not be a 401. */
function asWrongCode(error: unknown): never {
  throw error instanceof SecondFactorInvalidError ? new WrongCodeError() : error
}
