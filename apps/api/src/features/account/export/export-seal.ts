import { createHmac, timingSafeEqual } from 'node:crypto'
import { NotSignedInError } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { hashSecret, toCredentialId } from '../../../security/credentials.ts'

/** The address under which an export is downloaded; its query says until when, with a seal. */
export const EXPORT_PATH = '/exports/account.json'

/**
 * What proves that a session was allowed to download its player's data until a moment. The key is the hash of the player's password:
 * its salt is random and never leaves the database, so nobody else can make a seal, every node can check one, and a new password
 * makes all of them worthless. Throws `NotSignedInError` for a call without a session.
 */
export function exportSeal({ sessionToken }: Pick<Context, 'sessionToken'>, expires: string, key: string): string {
  if (sessionToken === null) throw new NotSignedInError()
  const session = toCredentialId(hashSecret(sessionToken))
  return createHmac('sha256', key).update(`export ${session} ${expires}`).digest('base64url')
}

export function isSameSeal(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
