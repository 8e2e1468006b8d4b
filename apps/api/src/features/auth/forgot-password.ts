import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { hashSecret, newSecret } from '../../credentials.ts'
import { resetCookieOf } from './begin-session.ts'
import { emailKey } from './email-key.ts'
import { accountKeyOf, newResetCode, RESET_CODE_MS } from './reset-code.ts'
import { resetMail } from './reset-mail.ts'
import { findMailbox, insertReset } from './reset-store.ts'
import type { ForgotPasswordInput, ForgotPasswordResult } from './schemas.ts'

/**
 * Makes a reset code, bound to the asking browser by a cookie, and mails it; where the server says so, it is shown
 * instead. Whether the e-mail is known changes neither the answer nor the work: an unknown one gets a code that fits
 * nothing. Throws `RateLimitedError` and `PasswordQueueFullError`.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<ForgotPasswordResult> {
  const cookie = resetCookieOf(ctx)
  const { app } = ctx
  const key = emailKey(input.email)
  await app.limits.spendAccount(ctx, 'forgot', key)
  const code = newResetCode()
  const codeHash = await app.passwords.hash(code)
  const mailbox = await findMailbox(app.db, key)
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
  if (mailbox !== undefined) app.mailer?.send(resetMail({ ...mailbox, code, publicUrl: app.config.publicUrl }))
  return { message: messageOf(app.config), ...(app.config.showResetCodes && { resetToken: code }) }
}

function messageOf({ smtpUrl, showResetCodes }: Config): string {
  if (showResetCodes) return 'Use this code within 15 minutes to set a new password.'
  if (smtpUrl === null) return 'This server can send no reset codes. Please ask its operator.'
  return 'If an account has this e-mail address, a reset code is on its way. It is good for 15 minutes.'
}
