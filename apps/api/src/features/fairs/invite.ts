import { createHash, randomBytes } from 'node:crypto'

const INVITE_BYTES = 16

/** The code of a new invite link: 128 random bits. */
export function createInvite(): string {
  return randomBytes(INVITE_BYTES).toString('base64url')
}

/** What is stored of a code. */
export function hashInvite(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}
