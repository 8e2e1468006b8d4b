import type { SwitchedOff } from '@papermoon/contract/second-factor'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { recordAccountEvent } from '../../security/accounts/events.ts'
import { lockSession } from '../../security/accounts/lock-session.ts'
import { sendNotice } from '../../security/accounts/notices.ts'
import { requireRecentProof } from '../../security/accounts/step-up.ts'
import { deleteTotp } from '../../security/second-factor/store.ts'
import { SecondFactorOffError } from './errors.ts'

/**
 * Switches the second factor off and deletes the recovery codes. Throws `ConfirmationNeededError` and
 * `SecondFactorOffError`.
 */
export async function disableTotp(ctx: Context, userId: UserId): Promise<SwitchedOff> {
  await requireRecentProof(ctx)
  await ctx.app.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    if (!(await deleteTotp(tx, userId))) throw new SecondFactorOffError()
    await recordAccountEvent(ctx.app, ctx, { userId, kind: 'totp_disabled' }, tx)
  })
  sendNotice(ctx.app, { userId, kind: 'totp_disabled', caller: ctx })
  return { ok: true }
}
