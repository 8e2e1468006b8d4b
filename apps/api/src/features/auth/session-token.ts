import { createHash, randomBytes } from 'node:crypto'

const DAY_MS = 24 * 3_600_000

/** A session that is not used for this long ends. */
export const SESSION_MS = 30 * DAY_MS
/** A session is prolonged when it was last prolonged so long ago, not at each call. */
export const PROLONG_AFTER_MS = DAY_MS

/** 256 random bits in base64url. */
export function newSessionToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether a cookie can be one of our tokens at all. */
export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

/** What is stored of a token. It is random, so a plain SHA-256 cannot be reversed. */
export function hashSessionToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
