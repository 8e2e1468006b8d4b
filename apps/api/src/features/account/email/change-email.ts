import type { ChangeEmailInput, EmailState } from '@papermoon/contract/security'
import type { UserId } from '@papermoon/engine'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { mailAccountChange } from '../../../accounts/account-mail.ts'
import type { Context } from '../../../context.ts'
import { checkPassword } from '../confirm/check-password.ts'
import { lockAccount } from '../lock-account.ts'
import { findEmail, isTaken, updateEmail } from '../store.ts'
import { toEmailKey } from './email-key.ts'
import { canVerifyEmail, createEmailLink, mailEmailLink, spendEmailLink } from './email-links.ts'
import { EmailTakenError, isEmailTaken } from './email-taken.ts'
import { getEmail } from './get-email.ts'

/**
 * Changes a player's e-mail address. Where this server mails links, the change waits until the link to the new address
 * is opened; otherwise it happens at once. The old address is notified. Throws `WrongPasswordError`, `EmailTakenError`,
 * `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function changeEmail(ctx: Context, userId: UserId, input: ChangeEmailInput): Promise<EmailState> {
  const { app } = ctx
  const passwordHash = await checkPassword(ctx, userId, input.password)
  const change = { userId, passwordHash, email: input.email, emailKey: toEmailKey(input.email) }
  await app.accounts.limits.spendAccount(ctx, 'mail-change', userId)
  if (await isTaken(app.platform.db, userId, change.emailKey)) throw new EmailTakenError()
  const before = await findEmail(app.platform.db, userId)
  // Another spelling of the same address needs no proof.
  const isSame = before.email_key === change.emailKey
  if (!isSame && canVerifyEmail(app)) await askForProof(ctx, change)
  else await setAtOnce(ctx, { ...change, verifiedAt: isSame ? before.email_verified_at : null })
  const kind = canVerifyEmail(app) ? 'email_change_asked' : 'email_changed'
  if (!isSame) mailAccountChange(app, { userId, kind, caller: ctx, to: before.email })
  return await getEmail(app, userId)
}

interface Change {
  readonly userId: UserId
  readonly passwordHash: string
  readonly email: string
  readonly emailKey: string
}

async function askForProof(ctx: Context, { userId, passwordHash, email }: Change): Promise<void> {
  const { app } = ctx
  await spendEmailLink(ctx, { userId, email, isOwn: false })
  const token = await app.platform.db.transaction().execute(async (tx) => {
    await lockAccount(tx, ctx, { userId, passwordHash })
    const secret = await createEmailLink(tx, app, { userId, email })
    await recordAccountEvent(app, ctx, { userId, kind: 'email_change_asked' }, tx)
    return secret
  })
  mailEmailLink(app, email, token)
}

async function setAtOnce(ctx: Context, change: Change & { readonly verifiedAt: Date | null }): Promise<void> {
  const { userId } = change
  await ctx.app.platform.db
    .transaction()
    .execute(async (tx) => {
      await lockAccount(tx, ctx, change)
      await updateEmail(tx, change)
      await recordAccountEvent(ctx.app, ctx, { userId, kind: 'email_changed' }, tx)
    })
    .catch((error: unknown) => {
      throw isEmailTaken(error) ? new EmailTakenError() : error
    })
}
