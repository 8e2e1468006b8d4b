import { createHmac, timingSafeEqual } from 'node:crypto'
import { NotSignedInError } from '@papermoon/engine'
import { hashSecret, toCredentialId } from '../../../accounts/credentials.ts'
import type { Context } from '../../../context.ts'

/** The path of a download; its query has the expiry and the signature. */
export const EXPORT_PATH = '/exports/account.json'

/**
 * The signature that allows a session to download its player's data until `expires`. The HMAC key is the player's
 * password hash: its random salt never leaves the database, every node can check the signature, and a new password
 * revokes it. Throws `NotSignedInError` for a call without a session.
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
