import type { SwitchedOff } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { SecondFactorOffError } from './errors.ts'
import { deleteTotp } from './store.ts'

/**
 * Switches the second factor off and deletes the recovery codes. Throws `ConfirmationNeededError` and
 * `SecondFactorOffError`.
 */
export async function disableTotp(ctx: Context, userId: UserId): Promise<SwitchedOff> {
  await requireRecentProof(ctx)
  await ctx.app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if (!(await deleteTotp(tx, userId))) throw new SecondFactorOffError()
    await recordAccountEvent(ctx.app, ctx, { userId, kind: 'totp_disabled' }, tx)
  })
  mailAccountChange(ctx.app, { userId, kind: 'totp_disabled', caller: ctx })
  return { ok: true }
}
