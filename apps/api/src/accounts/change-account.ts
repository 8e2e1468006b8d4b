import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../context.ts'
import { type AccountEvent, recordAccountEvent } from './account-events.ts'
import { mailAccountChange } from './account-mail.ts'
import { lockSession } from './lock-session.ts'

/** Records an event of the account in the transaction; call it last in it. */
type RecordEvent = (kind: AccountEvent['kind'], detail?: AccountEvent['detail']) => Promise<void>

/**
 * Changes a player's account in a transaction that other changes of their credentials wait for, and mails them about it
 * after the commit. Throws `NotSignedInError` if the session has ended meanwhile, and what `change` throws.
 */
export async function changeAccount<Result>(
  ctx: Context,
  userId: UserId,
  change: (tx: Tx, record: RecordEvent) => Promise<Result>,
): Promise<Result> {
  const recorded: AccountEvent['kind'][] = []
  const result = await ctx.app.platform.db.transaction().execute(async (tx) => {
    // It may run again.
    recorded.length = 0
    await lockSession(tx, ctx, userId)
    return await change(tx, async (kind, detail = {}) => {
      await recordAccountEvent(ctx.app, ctx, { userId, kind, detail }, tx)
      recorded.push(kind)
    })
  })
  for (const kind of recorded) mailAccountChange(ctx.app, { userId, kind, caller: ctx })
  return result
}
