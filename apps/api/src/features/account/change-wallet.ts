import type { ChangeWalletInput, Done } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../context.ts'
import { changeAccount } from './change-account.ts'
import { assertSamePassword, checkPassword } from './confirm/confirm.ts'
import { updateWallet } from './store.ts'

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
