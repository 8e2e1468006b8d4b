import type { ForgotPasswordInput, ForgotPasswordResult } from '@papermoon/contract/auth'
import type { App, Context } from '../../../context.ts'
import type { Mail } from '../../../mailer.ts'
import { toNetworkKey } from '../../../security/client-address.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { recordAccountEvent } from '../records/account-events.ts'
import { findTrustedBrowser, requireCookie } from '../sign-in/begin-session.ts'
import { GuardedAttempt, type LimitCharge } from '../sign-in/guarded-attempt.ts'
import { type Credentials, findCredentials } from '../sign-in/store.ts'
import { toEmailKey } from '../username-key.ts'
import { hasLinkSince, insertReset, MAIL_PAUSE_MS, newResetCode, RESET_CODE_MS, toAccountKey } from './reset-store.ts'

/**
 * Creates a reset code that a cookie binds to this browser, and mails it with a link. Without a mail server, the
 * operator gets the code on the terminal or with `admin reset-code`; with SHOW_RESET_CODES=on, the response contains
 * it.
 *
 * A known and an unknown email address get the same response after the same work. A code for an unknown email address
 * resets nothing. Strangers can never prevent the owner from getting a code: calls from trusted browsers are counted
 * separately, and a call beyond the limits requires proof of work. Throws `ProofOfWorkNeededError`, `RateLimitedError`
 * and `PasswordQueueFullError`.
 */
export async function forgotPassword(ctx: Context, input: ForgotPasswordInput): Promise<ForgotPasswordResult> {
  const cookie = requireCookie(ctx, 'reset')
  const { app } = ctx
  const key = toEmailKey(input.email)
  const tries = new GuardedAttempt(ctx, { purpose: 'forgot-password', subject: key })
  await tries.spend(['attempt'])
  const owner = await findCredentials(app.platform.db, key)
  await spendTry(ctx, tries, { key, passwordHash: owner?.passwordHash })
  recordRequest(ctx, owner)
  // Beyond the limits, create no further codes that someone could guess, and send at most one mail in five minutes to
  // an address.
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

/** Counts the attempt. Throws `ProofOfWorkNeededError` and `RateLimitedError`. */
async function spendTry(ctx: Context, tries: GuardedAttempt, { key, passwordHash }: Asked): Promise<void> {
  const browser = findTrustedBrowser(ctx, passwordHash)
  if (browser !== null) {
    await tries.spend(codesADay(10, `${key} ${browser}`))
    return await tries.spendIfWorked(codesADay(5, `worked ${key} ${browser}`))
  }
  const network = toNetworkKey(ctx.ip)
  // Check the limit of one network first, so that a network beyond its limit does not use up the shared limit.
  await tries.spend(codesADay(4, `${key} ${network}`), codesADay(20, key))
  await tries.spendIfWorked(codesADay(5, `worked ${key} ${network}`), [
    'hourly',
    { key: `forgot ${network}`, most: 60 },
  ])
}

function codesADay(most: number, key: string): LimitCharge {
  return ['daily', { key: `forgot ${key}`, most }]
}

interface Request {
  readonly key: string
  readonly owner: Credentials | undefined
  /** Whether to mail only the link, without a code. */
  readonly isLinkOnly: boolean
}

/** Stores a reset. If the account exists, sends the code to the owner or shows it to the operator. */
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
    app.platform.terminal?.write(`The reset code for ${owner.email} is ${code}. It expires in 15 minutes.\n`)
  }
  return { token, code }
}

function sinceMailPause({ app }: Context): { readonly since: Date; readonly now: Date } {
  const now = app.platform.clock.now()
  return { now, since: new Date(now.getTime() - MAIL_PAUSE_MS) }
}

/**
 * Records the request. Callers do not await this, because the response time must not reveal whether the email address
 * is known.
 */
function recordRequest(ctx: Context, owner: Credentials | undefined): void {
  if (owner !== undefined) void recordAccountEvent(ctx.app, ctx, { userId: owner.id, kind: 'reset_requested' })
  else ctx.app.accounts.securityLog.refused({ kind: 'reset_requested', userId: null, ip: ctx.ip })
}

const LINK_SENT =
  'If an account exists for this email address, we have emailed a link to set a new password. The link expires in 15 minutes.'

function messageFor({ platform: { config, mailer, terminal } }: App): string {
  if (config.resetCodesShown) return 'Use this code within 15 minutes to set a new password.'
  if (mailer !== null) {
    return 'If an account exists for this email address, we have emailed a reset code. The code expires in 15 minutes.'
  }
  return terminal === null
    ? 'If an account exists for this email address, the operator of this server can create a reset code with npm run admin -- reset-code.'
    : 'If an account exists for this email address, its reset code is in the terminal where this server runs. The code expires in 15 minutes.'
}

interface ResetMailData {
  readonly email: string
  /** The reset code; null if only the link's secret is valid. */
  readonly code: string | null
  /** The long secret in the link, which works without the code. */
  readonly secret: string
  /** The base URL for links. This URL never comes from the Host header, because clients choose that header. */
  readonly publicUrl: string | null
}

/**
 * Writes the mail with a reset code. The mail contains no text that the account's owner chose, because anyone can
 * register a stranger's address, and a username can be an advertisement.
 */
function resetMail({ email, code, secret, publicUrl }: ResetMailData): Mail {
  // The secret and the email address are in the fragment, which never reaches a server, so no proxy logs them.
  const link = publicUrl === null ? null : `${publicUrl}/reset-password#${secret}&email=${encodeURIComponent(email)}`
  const shownCode = code ?? (link === null ? secret : null)
  const lines = [
    'Hello,',
    '',
    ...(shownCode === null
      ? []
      : [`Your Papermoon reset code is ${shownCode}. The code works once and expires in 15 minutes.`, '']),
    ...(link === null ? [] : ['Open this link within 15 minutes to set a new password:', '', link, '']),
    'If you did not request this, you can ignore this email. Your password stays the same.',
  ]
  return { to: email, subject: 'Your Papermoon reset code', text: `${lines.join('\n')}\n` }
}
