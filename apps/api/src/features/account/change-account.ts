import type { ChangeWalletInput, Done } from '@papermoon/contract/security'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { assertSamePassword, checkPassword } from './confirm/confirm.ts'
import { mailAccountChange } from './email/account-mail.ts'
import { type AccountEvent, recordAccountEvent } from './records/account-events.ts'
import { lockSession, updateWallet } from './store.ts'

/** Records an account event in the transaction. Call this function last in the transaction. */
type RecordEvent = (kind: AccountEvent['kind'], detail?: AccountEvent['detail']) => Promise<void>

/**
 * Changes a player's account in a transaction that other changes to the account's credentials wait for, and mails the
 * player after the commit. Throws `NotSignedInError` if the session has ended meanwhile, and passes on any error of
 * `change`.
 */
export async function changeAccount<Result>(
  ctx: Context,
  userId: UserId,
  change: (tx: Tx, record: RecordEvent) => Promise<Result>,
): Promise<Result> {
  const recorded: AccountEvent['kind'][] = []
  const result = await ctx.app.platform.db.transaction().execute(async (tx) => {
    // Clear the list, because the transaction may run again.
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

/**
 * Sets the wallet for giveaway rewards. Throws `WrongPasswordError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function changeWallet(
  ctx: Context,
  userId: UserId,
  { password, wallet }: ChangeWalletInput,
): Promise<Done> {
  const passwordHash = await checkPassword(ctx, userId, password)
  await changeAccount(ctx, userId, async (tx, record) => {
    await assertSamePassword(tx, userId, passwordHash)
    await updateWallet(tx, userId, wallet)
    await record('wallet_changed')
  })
  return { ok: true }
}
