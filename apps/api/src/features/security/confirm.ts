import type { Context } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import { markConfirmed, PROOF_MS } from '../../security/step-up.ts'
import { checkPassword } from './check-password.ts'
import { WrongPasswordError } from './errors.ts'
import type { Confirmed, ConfirmInput } from './schemas.ts'
import { lockUser } from './store.ts'

/**
 * Proves that it is still the player who sits there: for 10 minutes this session may do what `requireRecentProof` guards. Throws
 * `WrongPasswordError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function confirm(ctx: Context, userId: UserId, { password }: ConfirmInput): Promise<Confirmed> {
  const passwordHash = await checkPassword(ctx, userId, password)
  await ctx.app.db.transaction().execute(async (tx) => {
    // A password that was changed meanwhile proves nothing.
    if ((await lockUser(tx, userId)) !== passwordHash) throw new WrongPasswordError()
    await markConfirmed(tx, ctx)
  })
  return { ok: true, until: new Date(ctx.app.clock.now().getTime() + PROOF_MS).toISOString() }
}
