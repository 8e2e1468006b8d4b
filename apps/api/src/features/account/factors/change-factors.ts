import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { aboutPlayer, appendAct } from '../../moderation/public.ts'
import { changeAccount } from '../change-account.ts'
import { FactorMissingError } from '../role.ts'
import { findHasFactor, requireFactorProof } from '../step-up.ts'

/**
 * Changes an account's second factors with a proof by one of them, if the account has any. A moderator must keep at
 * least one. A role ends when the account gets its first second factor, because someone who adds it may know only the
 * password. Throws the errors of `changeAccount` and `requireFactorProof`, and `FactorMissingError`.
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
