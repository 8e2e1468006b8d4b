import type { AccountEventKind } from '@papermoon/contract/account'
import type { UserId } from '@papermoon/engine'
import type { App, Context } from '../context.ts'
import { RateLimitedError } from '../errors.ts'
import { describeBrowser } from './browser-name.ts'

/** What the mail about each kind of change says. The player may not be the one who did it. */
const happened = {
  new_browser: 'a browser that was not used for it before signed in to your account',
  password_changed: 'the password of your account was changed, and all other sessions were ended',
  password_reset: 'a new password was set for your account with a reset code, and all sessions and API keys were ended',
  email_change_asked:
    'your account is to get another e-mail address. It does as soon as somebody opens the link that was mailed there',
  email_changed: 'your account has another e-mail address now. This is the last mail about it that comes here',
  wallet_changed: 'the wallet that your giveaway rewards go to was changed',
  passkey_added: 'a passkey was added to your account. Whoever has it can sign in',
  passkey_removed: 'a passkey of your account was removed',
  totp_enabled: 'signing in to your account needs a code of an authenticator app from now on',
  totp_disabled: 'signing in to your account needs no code of an authenticator app any more',
  export_made: 'a copy of everything that is stored about you was asked for',
  deletion_asked:
    'your account is to be deleted in seven days. Until then you can keep it: sign in and undo it in the settings, or set a new password with a reset code',
  webhook_added: 'a webhook was added to your account. Its address gets what you do and what you are told',
  key_made: 'an API key was made for your account. Whoever has it can act in your name',
} as const

export interface AccountChange {
  readonly userId: UserId
  /** Of an event of the account, or of a new browser; most events are mailed. */
  readonly kind: AccountEventKind | 'new_browser'
  /** The caller who did it. */
  readonly caller: Pick<Context, 'ip' | 'userAgent'>
  /** Recipient, if not the account's current address: the previous one. */
  readonly to?: string
}

/** Browser names that cannot contain a message of the client's choosing. */
const HARMLESS_NAME = /^[A-Za-z]+( [A-Za-z]+){0,3}( \d{1,5})?( on [A-Za-z]+( [A-Za-z]+)?)?$/

/** Mails a player about a change to their account, if this server sends mail; bounded per day. Returns at once. */
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
  // Counted separately: an intruder who exhausts the notices cannot delete the account unnoticed.
  const counted = kind === 'deletion_asked' ? `${userId} ${kind}` : userId
  await limits.spendAccount(nobody, isVerified ? 'mail' : 'mail-unverified', counted)
  const browser = describeBrowser(caller.userAgent)
  const lines = [
    'Hello,',
    '',
    `${happened[kind]}.`,
    '',
    `When: ${formatMinute(clock.now())}`,
    ...(dueAt === null ? [] : [`Deleted at: ${formatMinute(dueAt)}`]),
    `From: ${caller.ip}`,
    // An unverified address may be a stranger's, so the mail has no text that the player could have chosen.
    ...(isVerified && HARMLESS_NAME.test(browser) ? [`With: ${browser}`] : []),
    '',
    `If it was you, you need do nothing. If not, ${formatAdvice(app)}`,
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
    return 'set a new password. Then look at your settings: remove passkeys that are not yours, since a new password leaves them, and API keys.'
  return [
    'set a new password, which ends all sessions and API keys:',
    '',
    `${publicUrl}/forgot-password`,
    '',
    'A new password leaves passkeys as they are. Then look at your settings, and remove those that are not yours:',
    '',
    `${publicUrl}/settings#security`,
  ].join('\n')
}
