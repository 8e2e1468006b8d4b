import type { ChangeEmailInput, Done, EmailState, VerifyEmailInput } from '@papermoon/contract/security'
import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { assertNotFrozen } from '../../../caller.ts'
import type { App, Context } from '../../../context.ts'
import { assertSamePassword, checkPassword } from '../confirm/confirm.ts'
import { hashSecret } from '../credentials.ts'
import { EmailLinkError } from '../errors.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { deleteLink, findEmail, findLink, isTaken, lockSession, lockUser, updateEmail } from '../store.ts'
import { EmailTakenError, isEmailTaken, toEmailKey } from '../username-key.ts'
import { mailAccountChange } from './account-mail.ts'
import { canVerifyEmail, createEmailLink, mailEmailLink, spendEmailLink } from './email-links.ts'

/** Returns a player's email address, whether it is verified, and the requested new address. */
export async function getEmail(app: App, userId: UserId): Promise<EmailState> {
  const row = await findEmail(app.platform.db, userId)
  const { email, email_key, email_verified_at, linked, linked_key, expires_at } = row
  const isPending =
    linked !== null && linked_key !== email_key && expires_at !== null && expires_at > app.platform.clock.now()
  return {
    email,
    isVerified: email_verified_at !== null,
    canVerify: canVerifyEmail(app),
    pending: isPending ? { email: linked, expiresAt: expires_at.toISOString() } : null,
  }
}

/**
 * Mails the link that verifies a player's address, or the new address that will replace it. Revokes the previous link.
 * Does nothing if no address needs verification. Throws `RateLimitedError`.
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

/**
 * Changes a player's email address. If this server mails links, the change waits until someone opens the link sent to
 * the new address; otherwise it takes effect at once. The player is notified at the old address. Throws
 * `WrongPasswordError`, `EmailTakenError`, `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function changeEmail(ctx: Context, userId: UserId, input: ChangeEmailInput): Promise<EmailState> {
  const { app } = ctx
  const passwordHash = await checkPassword(ctx, userId, input.password)
  const change = { userId, passwordHash, email: input.email, emailKey: toEmailKey(input.email) }
  await app.accounts.limits.spendAccount(ctx, 'hourly', { key: `change of email ${userId}`, most: 10 })
  if (await isTaken(app.platform.db, userId, change.emailKey)) throw new EmailTakenError()
  const before = await findEmail(app.platform.db, userId)
  // If only the spelling changes, the player need not verify the address again.
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
    await lockSession(tx, ctx, userId)
    await assertSamePassword(tx, userId, passwordHash)
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
      await lockSession(tx, ctx, userId)
      await assertSamePassword(tx, userId, change.passwordHash)
      await updateEmail(tx, change)
      await recordAccountEvent(ctx.app, ctx, { userId, kind: 'email_changed' }, tx)
    })
    .catch((error: unknown) => {
      throw isEmailTaken(error) ? new EmailTakenError() : error
    })
}

/**
 * Verifies an address with the link that was mailed to it, and makes a new address the account's address. The call
 * needs no session, because only the owner of the mailbox has the secret. Throws `EmailLinkError`, `EmailTakenError`
 * and `AccountFrozenError`.
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

/**
 * Applies the requested change of the email address. Returns the replaced address, or null if the address was only
 * verified.
 */
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
