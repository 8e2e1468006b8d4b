import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { changeAccount } from '../../../accounts/change-account.ts'
import { FactorMissingError } from '../../../accounts/role.ts'
import { findHasFactor, requireFactorProof } from '../../../accounts/step-up.ts'
import type { Context } from '../../../context.ts'
import { aboutPlayer, appendAct } from '../../../moderation/log.ts'

/**
 * Changes the second factors of an account with a proof by one of them, if it has any. A moderator keeps at least one. A role
 * ends when the account gets its first one, since whoever adds it may know only the password. Throws what `changeAccount` and
 * `requireFactorProof` throw, and `FactorMissingError`.
 */
export const changeFactors: typeof changeAccount = async (ctx, userId, change) =>
  await changeAccount(ctx, userId, async (tx, record) => {
    const { role, hasFactor } = await requireFactorProof(ctx, tx)
    return await change(tx, async (kind, detail) => {
      if (role !== 'player') {
        if (!hasFactor) await endRole(tx, ctx, { userId, as: role })
        else if (!(await findHasFactor(tx, userId))) throw new FactorMissingError()
      }
      await record(kind, detail)
    })
  })

async function endRole(
  tx: Tx,
  { app }: Context,
  actor: { readonly userId: UserId; readonly as: 'moderator' | 'operator' },
): Promise<void> {
  await tx.updateTable('users').set({ role: 'player' }).where('id', '=', actor.userId).execute()
  const reason = 'The account had no second factor'
  const now = app.platform.clock.now()
  await appendAct(tx, { ...aboutPlayer(actor.userId), actor, act: 'role-player', reason, now })
}
