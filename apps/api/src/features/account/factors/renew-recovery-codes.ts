import type { RecoveryCodes } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { SecondFactorOffError } from './errors.ts'
import { hashRecoveryCodes } from './hash-recovery-codes.ts'
import { hasEnabledTotp, replaceRecoveryCodes } from './store.ts'

/**
 * Replaces the recovery codes by ten new ones. Throws `ConfirmationNeededError`, `SecondFactorOffError` and
 * `PasswordQueueFullError`.
 */
export async function renewRecoveryCodes(ctx: Context, userId: UserId): Promise<RecoveryCodes> {
  await requireRecentProof(ctx)
  const { app } = ctx
  if (!(await hasEnabledTotp(app.platform.db, userId))) throw new SecondFactorOffError()
  const { shown, stored } = await hashRecoveryCodes(ctx)
  await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    // It may have been switched off since the check.
    if (!(await hasEnabledTotp(tx, userId))) throw new SecondFactorOffError()
    await replaceRecoveryCodes(tx, userId, stored)
    await recordAccountEvent(app, ctx, { userId, kind: 'recovery_codes_made' }, tx)
  })
  return { recoveryCodes: shown }
}
