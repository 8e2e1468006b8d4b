import type { Done, VerifyEmailInput } from '@papermoon/contract/security'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { assertNotFrozen } from '../account-status.ts'
import { hashSecret } from '../credentials.ts'
import { EmailLinkError } from '../errors.ts'
import { lockUser } from '../own-rows.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { deleteLink, findEmail, findLink, updateEmail } from '../store.ts'
import { mailAccountChange } from './account-mail.ts'
import { EmailTakenError, isEmailTaken } from './email-key.ts'

/**
 * Verifies an address with the link mailed to it, and makes it the account's address if it is new. The call needs no
 * session, because only the mailbox has the secret. Throws `EmailLinkError`, `EmailTakenError` and
 * `AccountFrozenError`.
 */
export async function verifyEmail(ctx: Context, { token }: VerifyEmailInput): Promise<Done> {
  const { app } = ctx
  const tokenHash = hashSecret(token)
  const userId = await findLink(app.platform.db, tokenHash, app.platform.clock.now())
  if (userId === undefined) throw new EmailLinkError()
  const old = await app.platform.db
    .transaction()
    .execute((tx) => apply(tx, ctx, { userId, tokenHash }))
    .catch((error: unknown) => {
      throw isEmailTaken(error) ? new EmailTakenError() : error
    })
  if (old !== null) mailAccountChange(app, { userId, kind: 'email_changed', caller: ctx, to: old })
  return { ok: true }
}

/** Applies the change. Returns the replaced address, or null if the address was only verified. */
async function apply(
  tx: Tx,
  ctx: Context,
  { userId, tokenHash }: { readonly userId: UserId; readonly tokenHash: Buffer },
): Promise<string | null> {
  await lockUser(tx, userId)
  await assertNotFrozen(tx, userId)
  const link = await deleteLink(tx, tokenHash)
  if (link === undefined) throw new EmailLinkError()
  const before = await findEmail(tx, userId)
  const isNew = before.email_key !== link.emailKey
  await updateEmail(tx, { userId, ...link, verifiedAt: ctx.app.platform.clock.now() })
  await recordAccountEvent(ctx.app, ctx, { userId, kind: isNew ? 'email_changed' : 'email_verified' }, tx)
  return isNew ? before.email : null
}
