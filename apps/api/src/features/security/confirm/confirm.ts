import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { markConfirmed, PROOF_MS } from '../../../security/accounts/step-up.ts'
import { lockAccount } from '../lock-account.ts'
import type { Confirmed, ConfirmInput } from '../schemas.ts'
import { checkPasskey } from './check-passkey.ts'
import { checkPassword } from './check-password.ts'
import { checkTotp } from './check-totp.ts'
import type { SpendProof } from './spend-proof.ts'

/**
 * Confirms that the player is present: for 10 minutes this session may do what `requireRecentProof` guards. Throws
 * `WrongPasswordError`, `WrongCodeError`, `PasskeyInvalidError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function confirm(ctx: Context, userId: UserId, input: ConfirmInput): Promise<Confirmed> {
  const spend = await check(ctx, userId, input)
  await ctx.app.db.transaction().execute(async (tx) => {
    await spend(tx)
    await markConfirmed(tx, ctx)
  })
  return { ok: true, until: new Date(ctx.app.clock.now().getTime() + PROOF_MS).toISOString() }
}

async function check(ctx: Context, userId: UserId, { password, totp, passkey }: ConfirmInput): Promise<SpendProof> {
  if (passkey !== undefined) return await checkPasskey(ctx, userId, passkey)
  if (totp !== undefined) return await checkTotp(ctx, userId, totp)
  const passwordHash = await checkPassword(ctx, userId, password ?? '')
  return async (tx) => {
    // Throws if the password was changed in between.
    await lockAccount(tx, ctx, { userId, passwordHash })
  }
}
