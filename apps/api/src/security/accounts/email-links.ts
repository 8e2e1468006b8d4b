import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import type { App, Context } from '../../context.ts'
import { RateLimitedError } from '../../errors.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { toEmailKey } from './email-key.ts'

/** A link that verifies an e-mail address is good for this long. */
export const EMAIL_LINK_MS = 24 * 3_600_000

/** Whether this server can mail links: it needs a mail server, and an address that links may begin with. */
export function canVerifyEmail({ mailer, config }: Pick<App, 'mailer' | 'config'>): boolean {
  return mailer !== null && config.publicUrl !== null
}

interface NewLink {
  readonly userId: UserId
  readonly email: string
}

interface MailedLink extends NewLink {
  /** The account has this address already, so that nobody else can ask for mail to it. */
  readonly isOwn: boolean
}

/**
 * Counts a link against its account, and against the address it goes to unless that is the account's own: strangers who gave it
 * as theirs keep nobody from verifying it. Throws `RateLimitedError`.
 */
export async function spendEmailLink(
  { app, ip, header }: Pick<Context, 'app' | 'ip' | 'header'>,
  { userId, email, isOwn }: MailedLink,
): Promise<void> {
  await app.limits.spendAccount({ ip, header }, 'email-link', userId)
  if (!isOwn) await app.limits.spendAccount({ ip, header }, 'email-link', toEmailKey(email))
}

/** Keeps a link to an address in place of the player's last one; returns its secret, for `mailEmailLink` after the commit. */
export async function createEmailLink(
  db: Kysely<Database>,
  { clock }: Pick<App, 'clock'>,
  { userId, email }: NewLink,
): Promise<string> {
  const token = newSecret()
  const now = clock.now()
  const link = {
    token_hash: hashSecret(token),
    email,
    email_key: toEmailKey(email),
    created_at: now,
    expires_at: new Date(now.getTime() + EMAIL_LINK_MS),
  }
  await db
    .insertInto('email_links')
    .values({ user_id: userId, ...link })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute()
  return token
}

/** Mails a link. Nothing that its player wrote stands in it: nobody knows yet whose address it is. */
export function mailEmailLink({ mailer, config }: Pick<App, 'mailer' | 'config'>, to: string, token: string): void {
  const lines = [
    'Hello,',
    '',
    'somebody, probably you, gave this address for an account at Papermoon. If it was you, open this page:',
    '',
    // The secret stands where no server and no log sees it; opening the page uses nothing up.
    `${config.publicUrl}/verify-email#${token}`,
    '',
    'It is good for 24 hours, once. If it was not you, you need do nothing: without this link nothing happens.',
  ]
  mailer?.send({ to, subject: 'Is this your e-mail address?', text: `${lines.join('\n')}\n` })
}

/** Mails a new player the link that verifies their address, where this server does that. Never rejects. */
export async function sendVerificationLink({ app, ip }: Context, player: NewLink): Promise<void> {
  if (!canVerifyEmail(app)) return
  try {
    await spendEmailLink({ app, ip, header: () => {} }, { ...player, isOwn: true })
    mailEmailLink(app, player.email, await createEmailLink(app.db, app, player))
  } catch (error) {
    if (!(error instanceof RateLimitedError)) app.log.error({ err: error }, 'a link could not be made')
  }
}

/** Deletes the links that expired. */
export async function sweepEmailLinks({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  await db.deleteFrom('email_links').where('expires_at', '<=', clock.now()).execute()
}
