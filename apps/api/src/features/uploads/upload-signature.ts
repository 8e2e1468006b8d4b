import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UploadKey, UploadTicket, Validity } from '../../object-store.ts'
import { UploadLinkError } from './errors.ts'

/** The query of an address that takes this upload while it is valid. */
export function signUpload(secret: Buffer, key: UploadKey, { from, seconds }: Validity): string {
  const expires = String(Math.floor(from.getTime() / 1_000) + seconds)
  return `expires=${expires}&signature=${signatureOf(secret, key, expires).toString('base64url')}`
}

/** Throws `UploadLinkError` when a ticket is not one that we signed, or its time is over. */
export function assertSigned(secret: Buffer, { key, expires, signature }: UploadTicket, now: Date): void {
  const given = Buffer.from(signature, 'base64url')
  const right = signatureOf(secret, key, expires)
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new UploadLinkError()
  // What is signed is a number of ours.
  if (Number(expires) * 1_000 <= now.getTime()) {
    throw new UploadLinkError('This upload address has expired. Please ask for a new one.')
  }
}

function signatureOf(secret: Buffer, key: string, expires: string): Buffer {
  return createHmac('sha256', secret).update(`PUT\n${key}\n${expires}`).digest()
}
