import type { PasskeyId, Removed } from '@papermoon/contract/passkeys'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import { lockSession } from '../../../accounts/lock-session.ts'
import { requireRecentProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { NotFoundError } from '../../../errors.ts'
import { deletePasskey } from './store.ts'

/** Removes a player's passkey. Throws `ConfirmationNeededError`, and `NotFoundError` for another player's. */
export async function removePasskey(ctx: Context, userId: UserId, id: PasskeyId): Promise<Removed> {
  await requireRecentProof(ctx)
  await ctx.app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    const name = await deletePasskey(tx, userId, id)
    if (name === null) throw new NotFoundError('You have no such passkey.')
    await recordAccountEvent(ctx.app, ctx, { userId, kind: 'passkey_removed', detail: { name } }, tx)
  })
  mailAccountChange(ctx.app, { userId, kind: 'passkey_removed', caller: ctx })
  return { ok: true }
}
