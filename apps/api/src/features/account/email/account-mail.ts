import type { AccountEventKind } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import type { App, Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { describeBrowser } from '../records/account-events.ts'

/**
 * Mail texts, one for each kind of change to an account. The texts consider that someone other than the player may have
 * made the change.
 */
const happened = {
  new_browser: 'Someone logged in to your account from a new browser.',
  password_changed: 'Your password was changed. All other sessions have ended.',
  password_reset:
    'Someone reset your password with a reset code. All sessions have ended, and all API keys were revoked.',
  email_change_asked:
    'Someone asked to change the email address for your Papermoon account. The change takes effect when they open the link that we sent to the new address.',
  email_changed:
    'The email address for your Papermoon account was changed. This is the last email that we send to the old address.',
  wallet_changed: 'The wallet for your giveaway rewards was changed.',
  passkey_added: 'A passkey was added to your account. Anyone who has it can log in.',
  passkey_removed: 'A passkey was removed from your account.',
  totp_enabled: 'Logging in to your account now requires a code from an authenticator app.',
  totp_disabled: 'Logging in to your account no longer requires a code from an authenticator app.',
  export_made: 'Someone requested a copy of everything that we store about you.',
  deletion_asked:
    'Your account will be deleted in seven days. To keep it, log in and press Keep my account in Settings, or reset your password.',
  webhook_added:
    'A webhook was added to your account. The webhook sends your trades, orders and notifications to another server.',
  key_made: 'An API key was created for your account. Anyone who has it can act in your name.',
} as const

export interface AccountChange {
  readonly userId: UserId
  /** The event to write about. `new_browser` is a login in a new browser. */
  readonly kind: AccountEventKind | 'new_browser'
  /** The caller who made the change. */
  readonly caller: Pick<Context, 'ip' | 'userAgent'>
  /** Recipient of the mail, if not the account's current address. For example, the previous address. */
  readonly to?: string
}

/** Matches plain browser names, which cannot contain a message that the client chose. */
const HARMLESS_NAME = /^[A-Za-z]+( [A-Za-z]+){0,3}( \d{1,5})?( on [A-Za-z]+( [A-Za-z]+)?)?$/

/**
 * Mails a player about a change to their account, if this server sends mail. Returns without waiting until the mail is
 * sent. The number of mails per day is limited.
 */
export function mailAccountChange(app: App, change: AccountChange): void {
  const { kind } = change
  if (app.platform.mailer === null || !isMailed(kind)) return
  void send(app, { ...change, kind }).catch((error: unknown) => {
    if (!(error instanceof RateLimitedError))
      app.platform.log.error({ err: error }, 'an email about an account could not be sent')
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
  // Count mails about deletions separately. With one shared count, an intruder could use up the limit and then delete
  // the account unnoticed.
  const counted = kind === 'deletion_asked' ? `${userId} ${kind}` : userId
  // The server sends fewer mails to an unverified address. When the limit is reached, the player finds further changes
  // only in the account's events.
  const key = `${isVerified ? 'mail' : 'unverified mail'} ${counted}`
  await limits.spendAccount(nobody, 'daily', { key, most: isVerified ? 20 : 5 })
  const browser = describeBrowser(caller.userAgent)
  const lines = [
    'Hello,',
    '',
    happened[kind],
    '',
    `When: ${formatMinute(clock.now())}`,
    ...(dueAt === null ? [] : [`Deletion date: ${formatMinute(dueAt)}`]),
    `From: ${caller.ip}`,
    // An unverified address may belong to a stranger, so the mail contains no text that the player could have chosen.
    ...(isVerified && HARMLESS_NAME.test(browser) ? [`With: ${browser}`] : []),
    '',
    `If this was you, you can ignore this email. ${formatAdvice(app)}`,
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
    return 'If it was not you, set a new password. Then remove passkeys in Settings and API keys on the developers page that are not yours, because a new password does not remove passkeys.'
  return [
    'If it was not you, reset your password here. A reset ends all sessions and revokes all API keys:',
    '',
    `${publicUrl}/forgot-password`,
    '',
    'A reset does not remove passkeys. In Settings, remove any passkey that is not yours:',
    '',
    `${publicUrl}/settings#security`,
  ].join('\n')
}
