import type { ForgotPasswordInput, ForgotPasswordResult } from '@papermoon/contract/auth'
import { recordAccountEvent } from '../../../accounts/account-events.ts'
import { hashSecret, newSecret } from '../../../accounts/credentials.ts'
import type { App, Context } from '../../../context.ts'
import type { Mail } from '../../../mailer.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { toEmailKey } from '../email/email-key.ts'
import { requireCookie } from '../sign-in/begin-session.ts'
import { GuardedAttempt } from '../sign-in/guarded-attempt.ts'
import { type Credentials, findCredentials } from '../sign-in/store.ts'
import { findTrustedBrowser } from '../sign-in/trusted-browser.ts'
import { MAIL_PAUSE_MS, newResetCode, RESET_CODE_MS, toAccountKey } from './reset-code.ts'
import { hasLinkSince, insertReset } from './reset-store.ts'

/**
 * Creates a reset code that is bound to this browser by a cookie, and mails it with a link. Without a mail server the operator has
 * the code, on the terminal or by `admin reset-code`; with SHOW_RESET_CODES=on the answer has it.
 *
 * A known and an unknown email get the same answer after the same work; an unknown one gets a code that resets
 * nothing. Calls of trusted browsers are counted separately, and past the limits a call requires proof of work, so
 * strangers never keep the owner from a code. Throws `ProofOfWorkNeededError`, `RateLimitedError` and
 * `PasswordQueueFullError`.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<ForgotPasswordResult> {
  const cookie = requireCookie(ctx, 'reset')
  const { app } = ctx
  const key = toEmailKey(input.email)
  const tries = new GuardedAttempt(ctx, { purpose: 'forgot-password', subject: key })
  await tries.spend(['forgot'])
  const owner = await findCredentials(app.platform.db, key)
  await spendTry(ctx, tries, { key, passwordHash: owner?.passwordHash })
  recordRequest(ctx, owner)
  // Past the limits there are no more codes to guess, and at most one mail per mailbox in five minutes.
  const isLinkOnly = tries.hasWorked && app.platform.mailer !== null
  if (isLinkOnly && (await hasLinkSince(app.platform.db, toAccountKey(key), sinceMailPause(ctx))))
    return { message: LINK_SENT }
  const { token, code } = await makeReset(ctx, { key, owner, isLinkOnly })
  cookie.set(token)
  const message = isLinkOnly ? LINK_SENT : messageFor(app)
  if (app.platform.config.resetCodesShown && code !== null) return { message, resetToken: code }
  return { message, ...(app.platform.mailer === null && { isUnavailable: true }) }
}

interface Asked {
  readonly key: string
  readonly passwordHash: string | undefined
}

/** Throws `ProofOfWorkNeededError` and `RateLimitedError`. */
async function spendTry(ctx: Context, tries: GuardedAttempt, { key, passwordHash }: Asked): Promise<void> {
  const browser = findTrustedBrowser(ctx, passwordHash)
  if (browser !== null) {
    await tries.spend(['forgot-known', `${key} ${browser}`])
    return await tries.spendIfWorked(['forgot-worked', `${key} ${browser}`])
  }
  const network = toNetworkKey(ctx.ip)
  // The limit of one address first: once it refuses, the shared limit is not used up.
  await tries.spend(['forgot-here', `${key} ${network}`], ['forgot', key])
  await tries.spendIfWorked(['forgot-worked', `${key} ${network}`], ['forgot-worked-network', network])
}

interface Request {
  readonly key: string
  readonly owner: Credentials | undefined
  /** Mails the link alone, without a code. */
  readonly isLinkOnly: boolean
}

/** Stores a reset, and tells it to the owner or the operator if the account exists. */
async function makeReset({ app, ip }: Context, { key, owner, isLinkOnly }: Request) {
  const code = isLinkOnly ? null : newResetCode()
  const secret = app.platform.mailer === null ? null : newSecret()
  const token = newSecret()
  const now = app.platform.clock.now()
  await insertReset(app.platform.db, {
    token_hash: hashSecret(token),
    account_key: toAccountKey(key),
    user_id: owner?.id ?? null,
    code_hash: code === null ? null : await app.accounts.passwords.hash(ip, code),
    secret_hash: secret === null ? null : hashSecret(secret),
    created_at: now,
    expires_at: new Date(now.getTime() + RESET_CODE_MS),
  })
  if (owner !== undefined && secret !== null) {
    app.platform.mailer?.send(resetMail({ email: owner.email, code, secret, publicUrl: app.platform.config.publicUrl }))
  } else if (owner !== undefined && !app.platform.config.resetCodesShown) {
    app.platform.terminal?.write(`The reset code of ${owner.email} is ${code}. It expires in 15 minutes.\n`)
  }
  return { token, code }
}

function sinceMailPause({ app }: Context): { readonly since: Date; readonly now: Date } {
  const now = app.platform.clock.now()
  return { now, since: new Date(now.getTime() - MAIL_PAUSE_MS) }
}

/** Not awaited: response time must not reveal whether the email is known. */
function recordRequest(ctx: Context, owner: Credentials | undefined): void {
  if (owner !== undefined) void recordAccountEvent(ctx.app, ctx, { userId: owner.id, kind: 'reset_requested' })
  else ctx.app.accounts.securityLog.refused({ kind: 'reset_requested', userId: null, ip: ctx.ip })
}

const LINK_SENT =
  'If an account has this email address, we have sent it a link to set a new password. The link expires in 15 minutes.'

function messageFor({ platform: { config, mailer, terminal } }: App): string {
  if (config.resetCodesShown) return 'Use this code within 15 minutes to set a new password.'
  if (mailer !== null) {
    return 'If an account has this email address, we have sent it a reset code. The code expires in 15 minutes.'
  }
  return terminal === null
    ? 'If an account has this email address, the operator of this server can create a reset code: npm run admin -- reset-code.'
    : 'If an account has this email address, its reset code is in the terminal that runs this server. The code expires in 15 minutes.'
}

interface ResetLetter {
  readonly email: string
  /** Null where only the secret is valid. */
  readonly code: string | null
  /** The long secret; it works without a code. */
  readonly secret: string
  /** The base of links; never the Host header, which the client chooses. */
  readonly publicUrl: string | null
}

/**
 * The mail with a reset code. It has no text that the account's owner chose: anyone may register a stranger's address,
 * and a username can be an advertisement.
 */
function resetMail({ email, code, secret, publicUrl }: ResetLetter): Mail {
  // The fragment never reaches a server, so no proxy logs the secret or the address.
  const link = publicUrl === null ? null : `${publicUrl}/reset-password#${secret}&email=${encodeURIComponent(email)}`
  const shownCode = code ?? (link === null ? secret : null)
  const lines = [
    'Hello,',
    '',
    ...(shownCode === null
      ? []
      : [`Your reset code for Papermoon is ${shownCode}. It works once, within 15 minutes.`, '']),
    ...(link === null ? [] : ['Open this link within 15 minutes to set a new password:', '', link, '']),
    'If you did not request this, you can ignore this email. Your password stays the same.',
  ]
  return { to: email, subject: 'Your Papermoon reset code', text: `${lines.join('\n')}\n` }
}
