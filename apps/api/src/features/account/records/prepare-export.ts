import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ExportReady } from '@papermoon/contract/account'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { RateLimitedError } from '../../../errors.ts'
import { countSecondsUntil, DAY_MS } from '../../../lib/durations.ts'
import { changeAccount } from '../change-account.ts'
import { hashSecret, toCredentialId } from '../credentials.ts'
import { requireRecentProof } from '../step-up.ts'
import { findPasswordHash } from '../store.ts'
import { findExportsSince } from './export-store.ts'

/** The path of a download. Its query contains the expiry and the signature. */
export const EXPORT_PATH = '/exports/account.json'

const EXPORTS_A_DAY = 5
/** How long a link is valid, in ms. */
const VALID_MS = 10 * 60_000

/**
 * Creates a link, valid for ten minutes in this session, to download everything stored about the player. Throws
 * `ConfirmationNeededError`, `NotSignedInError`, and `RateLimitedError` after five links in a day.
 */
export async function prepareExport(ctx: Context, userId: UserId): Promise<ExportReady> {
  await requireRecentProof(ctx)
  const now = ctx.app.platform.clock.now()
  const expires = String(now.getTime() + VALID_MS)
  const key = await changeAccount(ctx, userId, async (tx, record) => {
    const passwordHash = await findPasswordHash(tx, userId)
    if (passwordHash === undefined) throw new NotSignedInError()
    const { count, first } = await findExportsSince(tx, userId, new Date(now.getTime() - DAY_MS))
    if (count >= EXPORTS_A_DAY && first !== null)
      throw new RateLimitedError(countSecondsUntil(first.getTime() + DAY_MS, now))
    await record('export_made')
    return passwordHash
  })
  const query = new URLSearchParams({ expires, seal: exportSeal(ctx, expires, key) })
  return { url: `${EXPORT_PATH}?${query}`, expiresAt: new Date(Number(expires)).toISOString() }
}

/**
 * Returns the signature that allows a session to download its player's data until `expires`. The HMAC key is the
 * player's password hash: its random salt never leaves the database, every node can check the signature, and a new
 * password revokes it. Throws `NotSignedInError` for a call without a session.
 */
export function exportSeal({ cookies }: Pick<Context, 'cookies'>, expires: string, key: string): string {
  if (cookies.session.token === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(cookies.session.token))
  return createHmac('sha256', key).update(`export ${session} ${expires}`).digest('base64url')
}

export function isSameSeal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
