import type { ChangeWalletInput, Done } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../accounts/account-events.ts'
import { mailAccountChange } from '../../accounts/account-mail.ts'
import type { Context } from '../../context.ts'
import { checkPassword } from './confirm/check-password.ts'
import { lockAccount } from './lock-account.ts'
import { updateWallet } from './store.ts'

/**
 * Sets the wallet for giveaway rewards. Throws `WrongPasswordError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function changeWallet(
  ctx: Context,
  userId: UserId,
  { password, wallet }: ChangeWalletInput,
): Promise<Done> {
  const { app } = ctx
  const passwordHash = await checkPassword(ctx, userId, password)
  await app.platform.db.transaction().execute(async (tx) => {
    await lockAccount(tx, ctx, { userId, passwordHash })
    await updateWallet(tx, userId, wallet)
    await recordAccountEvent(app, ctx, { userId, kind: 'wallet_changed' }, tx)
  })
  mailAccountChange(app, { userId, kind: 'wallet_changed', caller: ctx })
  return { ok: true }
}
