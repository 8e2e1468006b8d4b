import type { EmailState } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { lockSession } from '../../../accounts/lock-session.ts'
import type { Context } from '../../../context.ts'
import { createEmailLink, mailEmailLink, spendEmailLink } from './email-links.ts'
import { getEmail } from './get-email.ts'

/**
 * Mails the link that verifies a player's address, or the address that is to replace it. Revokes the link before it.
 * Does nothing where there is nothing to verify. Throws `RateLimitedError`.
 */
export async function sendEmailLink(ctx: Context, userId: UserId): Promise<EmailState> {
  const { app } = ctx
  const state = await getEmail(app, userId)
  if (!state.canVerify || (state.isVerified && state.pending === null)) return state
  const to = state.pending?.email ?? state.email
  await spendEmailLink(ctx, { userId, email: to, isOwn: state.pending === null })
  const token = await app.platform.db.transaction().execute(async (tx) => {
    await lockSession(tx, ctx, userId)
    return await createEmailLink(tx, app, { userId, email: to })
  })
  mailEmailLink(app, to, token)
  return await getEmail(app, userId)
}
