import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { AppPart, Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import type { Counted } from '../../../security/rate-limits.ts'
import { hashSecret, newSecret } from '../credentials.ts'
import { toEmailKey } from '../username-key.ts'

/** How long a link that verifies an email address is valid, in ms. */
export const EMAIL_LINK_MS = 24 * 3_600_000

/** Returns whether this server can mail links, which needs a mail server and a public URL. */
export function canVerifyEmail({ platform: { mailer, config } }: AppPart<'mailer' | 'config'>): boolean {
  return mailer !== null && config.publicUrl !== null
}

interface NewLink {
  readonly userId: UserId
  readonly email: string
}

interface MailedLink extends NewLink {
  /**
   * Whether the address is the account's current one. Other accounts cannot request mail to the current address of this
   * account.
   */
  readonly isOwn: boolean
}

/**
 * Counts a mailed link for its account. The link also counts for the address, unless the address is the account's own.
 * Strangers who enter an address therefore cannot prevent its owner from verifying it. Throws `RateLimitedError`.
 */
export async function spendEmailLink(
  { app, ip, header }: Pick<Context, 'app' | 'ip' | 'header'>,
  { userId, email, isOwn }: MailedLink,
): Promise<void> {
  await app.accounts.limits.spendAccount({ ip, header }, 'daily', toCounted(userId))
  if (!isOwn) await app.accounts.limits.spendAccount({ ip, header }, 'daily', toCounted(toEmailKey(email)))
}

/** Max 5 links a day for an account or an address. */
function toCounted(who: string | number): Counted {
  return { key: `link ${who}`, most: 5 }
}

/**
 * Stores a link, which replaces the player's previous link. Returns the link's token, which `mailEmailLink` needs after
 * the commit.
 */
export async function createEmailLink(
  db: Db,
  { platform: { clock } }: AppPart<'clock'>,
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

/** Mails a link. The mail contains no text that the player chose, because the address may belong to a stranger. */
export function mailEmailLink(
  { platform: { mailer, config } }: AppPart<'mailer' | 'config'>,
  to: string,
  token: string,
): void {
  const lines = [
    'Hello,',
    '',
    'Someone, probably you, entered this email address for a Papermoon account. If it was you, open this page:',
    '',
    // The link contains the token in its fragment, which no server or log sees. Opening the page does not yet use up
    // the link.
    `${config.publicUrl}/verify-email#${token}`,
    '',
    'The link works once and expires after 24 hours. If it was not you, you can ignore this email. Nothing happens unless someone opens the link.',
  ]
  mailer?.send({ to, subject: 'Is this your email address?', text: `${lines.join('\n')}\n` })
}

/** Mails a new player a link to verify their address, if this server can. Never rejects. */
export async function sendVerificationLink({ app, ip }: Context, player: NewLink): Promise<void> {
  if (!canVerifyEmail(app)) return
  try {
    await spendEmailLink({ app, ip, header: () => {} }, { ...player, isOwn: true })
    mailEmailLink(app, player.email, await createEmailLink(app.platform.db, app, player))
  } catch (error) {
    if (!(error instanceof RateLimitedError))
      app.platform.log.error({ err: error }, 'a verification link could not be created')
  }
}
