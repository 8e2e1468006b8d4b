import type { PasskeyId, Removed } from '@papermoon/contract/passkeys'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { NotFoundError } from '../../errors.ts'
import { recordAccountEvent } from '../../security/accounts/events.ts'
import { lockSession } from '../../security/accounts/lock-session.ts'
import { sendNotice } from '../../security/accounts/notices.ts'
import { requireRecentProof } from '../../security/accounts/step-up.ts'
import { deletePasskey } from './store.ts'

/** Removes a player's passkey. Throws `ConfirmationNeededError`, and `NotFoundError` for another player's. */
export async function removePasskey(ctx: Context, userId: UserId, id: PasskeyId): Promise<Removed> {
  await requireRecentProof(ctx)
  await ctx.app.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    const name = await deletePasskey(tx, userId, id)
    if (name === null) throw new NotFoundError('You have no such passkey.')
    await recordAccountEvent(ctx.app, ctx, { userId, kind: 'passkey_removed', detail: { name } }, tx)
  })
  sendNotice(ctx.app, { userId, kind: 'passkey_removed', caller: ctx })
  return { ok: true }
}
