import type { TotpSetup } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { SecondFactorOnError } from './errors.ts'
import { toTotpPurpose } from './second-factor.ts'
import { findUsername, putTotp } from './store.ts'
import { describeTotp, newTotpSecret } from './totp.ts'

/**
 * Creates a secret for an authenticator app. Logins need no code until `enableTotp` confirms it. Throws
 * `ConfirmationNeededError` and `SecondFactorOnError`.
 */
export async function beginTotp(ctx: Context, userId: UserId): Promise<TotpSetup> {
  await requireRecentProof(ctx)
  const {
    platform: { db, clock },
    accounts: { secrets },
  } = ctx.app
  const secret = newTotpSecret()
  const sealed = await secrets.seal(secret, toTotpPurpose(userId))
  await db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if (!(await putTotp(tx, { userId, sealed, now: clock.now() }))) throw new SecondFactorOnError()
  })
  return describeTotp(secret, await findUsername(db, userId))
}
