import type { AccountEventKind } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import type { App, Context } from '../context.ts'
import { RateLimitedError } from '../errors.ts'
import { describeBrowser } from './browser-name.ts'

/** Mail texts for each kind of change. Someone other than the player may have made the change. */
const happened = {
  new_browser: 'A new browser logged in to your account.',
  password_changed: 'The password of your account was changed. This ended all other sessions.',
  password_reset:
    'Someone set a new password for your account with a reset code. This ended all sessions and API keys.',
  email_change_asked:
    'Someone asked to change the email address of your account. The address changes when they open the link that we emailed to the new address.',
  email_changed:
    'The email address of your account was changed. This is our last email about the account to this address.',
  wallet_changed: 'The wallet for your giveaway rewards was changed.',
  passkey_added: 'A passkey was added to your account. Anyone who has it can log in.',
  passkey_removed: 'A passkey was removed from your account.',
  totp_enabled: 'Logging in to your account now needs a code from an authenticator app.',
  totp_disabled: 'Logging in to your account no longer needs a code from an authenticator app.',
  export_made: 'Someone requested a copy of everything that we store about you.',
  deletion_asked:
    'Your account will be deleted in seven days. Until then you can keep it: log in and press Keep my account in Settings, or set a new password with a reset code.',
  webhook_added: 'A webhook was added to your account. It sends your trades, orders and notifications to its URL.',
  key_made: 'An API key was created for your account. Anyone who has it can act in your name.',
} as const

export interface AccountChange {
  readonly userId: UserId
  /** The event to write about, or a login in a new browser. Most events are mailed. */
  readonly kind: AccountEventKind | 'new_browser'
  /** The caller who made the change. */
  readonly caller: Pick<Context, 'ip' | 'userAgent'>
  /** Recipient, if not the account's current address. Used for the previous address. */
  readonly to?: string
}

/** Matches browser names that cannot contain a message that the client chose. */
const HARMLESS_NAME = /^[A-Za-z]+( [A-Za-z]+){0,3}( \d{1,5})?( on [A-Za-z]+( [A-Za-z]+)?)?$/

/**
 * Mails a player about a change to their account, if this server sends mail. The number of mails per day is limited.
 * Returns at once.
 */
export function mailAccountChange(app: App, change: AccountChange): void {
  const { kind } = change
  if (app.platform.mailer === null || !isMailed(kind)) return
  void send(app, { ...change, kind }).catch((error: unknown) => {
    if (!(error instanceof RateLimitedError))
      app.platform.log.error({ err: error }, 'a mail about an account could not be sent')
  })
}

function isMailed(kind: AccountChange['kind']): kind is keyof typeof happened {
  return Object.hasOwn(happened, kind)
}

type MailedChange = AccountChange & { readonly kind: keyof typeof happened }

async function send(app: App, { userId, kind, caller, to }: MailedChange): Promise<void> {
  const {
    platform: { mailer, db, clock },
    accounts: { limits },
  } = app
  const user = await db
    .selectFrom('users')
    .select(['email', 'email_verified_at', 'deletion_due_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user === undefined) return
  const dueAt = kind === 'deletion_asked' ? user.deletion_due_at : null
  const isVerified = to === undefined && user.email_verified_at !== null
  const nobody = { ip: caller.ip, header: () => {} }
  // Count deletions separately, so that an intruder who exhausts the limit cannot delete the account unnoticed.
  const counted = kind === 'deletion_asked' ? `${userId} ${kind}` : userId
  await limits.spendAccount(nobody, isVerified ? 'mail' : 'mail-unverified', counted)
  const browser = describeBrowser(caller.userAgent)
  const lines = [
    'Hello,',
    '',
    happened[kind],
    '',
    `When: ${formatMinute(clock.now())}`,
    ...(dueAt === null ? [] : [`Deleted at: ${formatMinute(dueAt)}`]),
    `From: ${caller.ip}`,
    // An unverified address may be a stranger's, so the mail contains no text that the player could have chosen.
    ...(isVerified && HARMLESS_NAME.test(browser) ? [`With: ${browser}`] : []),
    '',
    `If this was you, you can ignore this email. If not, ${formatAdvice(app)}`,
  ]
  mailer?.send({ to: to ?? user.email, subject: 'Your Papermoon account', text: `${lines.join('\n')}\n` })
}

function formatMinute(moment: Date): string {
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function formatAdvice({
  platform: {
    config: { publicUrl },
  },
}: App): string {
  if (publicUrl === null)
    return 'set a new password. Then open Settings and remove the passkeys and API keys that are not yours. A new password does not remove passkeys.'
  return [
    'set a new password, which ends all sessions and API keys:',
    '',
    `${publicUrl}/forgot-password`,
    '',
    'A new password does not remove passkeys. Then open Settings, and remove the passkeys that are not yours:',
    '',
    `${publicUrl}/settings#security`,
  ].join('\n')
}
