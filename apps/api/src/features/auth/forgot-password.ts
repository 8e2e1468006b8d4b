import { addressKey } from '../../client-address.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { hashSecret, newSecret } from '../../credentials.ts'
import { recordAccountEvent } from '../../security/account-events.ts'
import { resetCookieOf } from './begin-session.ts'
import { emailKey } from './email-key.ts'
import { knownBrowserOf } from './known-browser.ts'
import { accountKeyOf, newResetCode, RESET_CODE_MS } from './reset-code.ts'
import { resetMail } from './reset-mail.ts'
import { findMailbox, insertReset, type Mailbox } from './reset-store.ts'
import type { ForgotPasswordInput, ForgotPasswordResult } from './schemas.ts'

/**
 * Makes a reset code, bound to the asking browser by a cookie, and mails it; where this server shows codes to the
 * caller, it is shown instead. Whether the e-mail is known changes neither the answer nor the work: an unknown one gets
 * a code that fits nothing. Calls of a browser that signed in before are counted apart from everybody else's: strangers
 * who ask for codes never keep the owner from theirs. Throws `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<ForgotPasswordResult> {
  const cookie = resetCookieOf(ctx)
  const { app } = ctx
  const key = emailKey(input.email)
  const mailbox = await findMailbox(app.db, key)
  await spendCall(ctx, key, mailbox?.passwordHash)
  const code = newResetCode()
  const codeHash = await app.passwords.hash(code)
  const token = newSecret()
  const now = app.clock.now()
  await insertReset(app.db, {
    tokenHash: hashSecret(token),
    accountKey: accountKeyOf(key),
    userId: mailbox?.userId ?? null,
    codeHash,
    now,
    expiresAt: new Date(now.getTime() + RESET_CODE_MS),
  })
  cookie.set(token)
  recordRequest(ctx, mailbox)
  if (mailbox !== undefined) {
    const { email, username } = mailbox
    app.mailer?.send(resetMail({ email, username, code, publicUrl: app.config.publicUrl }))
  }
  const isShown = showsCodeTo(ctx)
  return { message: messageFor(app.config, isShown), ...(isShown && { resetToken: code }) }
}

/** Throws `RateLimitedError`. */
async function spendCall(ctx: Context, key: string, passwordHash: string | undefined): Promise<void> {
  const { limits } = ctx.app
  const browser = knownBrowserOf(ctx, passwordHash)
  if (browser !== null) return await limits.spendAccount(ctx, 'forgot-known', `${key} ${browser}`)
  // First what one address may: once it is refused, it uses up nothing of what all share.
  await limits.spendAccount(ctx, 'forgot-here', `${key} ${addressKey(ctx.ip)}`)
  await limits.spendAccount(ctx, 'forgot', key)
}

/** Not awaited: whether the e-mail is known must not show in how long the answer takes. */
function recordRequest(ctx: Context, mailbox: Mailbox | undefined): void {
  if (mailbox !== undefined) void recordAccountEvent(ctx.app, ctx, { userId: mailbox.userId, kind: 'reset_requested' })
  else ctx.app.securityLog.refused({ kind: 'reset_requested', userId: null, ip: ctx.ip })
}

/** Decided for each request: the same server may be asked through a proxy too. */
function showsCodeTo({ app, isLocal }: Context): boolean {
  const { resetCodesShown } = app.config
  return resetCodesShown === 'always' || (resetCodesShown === 'local' && isLocal)
}

function messageFor({ smtpUrl }: Config, isShown: boolean): string {
  if (isShown) return 'Use this code within 15 minutes to set a new password.'
  if (smtpUrl === null) return 'This server can send no reset codes. Please ask its operator.'
  return 'If an account has this e-mail address, a reset code is on its way. It is good for 15 minutes.'
}
