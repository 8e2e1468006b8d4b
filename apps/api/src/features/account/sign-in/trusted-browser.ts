import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context.ts'

const NONCE_BYTES = 12
const SEAL_BYTES = 16
/** Max number of accounts that trust one browser, enough for a family. The oldest is dropped. */
const MARKS_MAX = 4
/** Matches a nonce and a seal: 12 and 16 bytes in base64url. */
const MARK = /^([\w-]{16})([\w-]{22})$/

/** Key for unknown accounts, whose marks must never match. */
const decoyKey = randomBytes(32)

/**
 * Returns the mark which shows that an account trusts this browser, or null. A mark is sealed with the account's
 * password hash, whose salt is random and never leaves the database. So only the server can create a mark, every node
 * can check it, and a new password invalidates all marks. Without a hash (an unknown account), returns null after the
 * same work.
 */
export function findTrustedBrowser({ cookies }: Context, passwordHash: string | undefined): string | null {
  return parseMarks(cookies.trustedBrowser.token).find((mark) => isSealedWith(mark, passwordHash ?? decoyKey)) ?? null
}

/** Makes the account with this password hash trust this browser. */
export function trustBrowser({ cookies: { trustedBrowser } }: Context, passwordHash: string): void {
  const others = parseMarks(trustedBrowser.token).filter((mark) => !isSealedWith(mark, passwordHash))
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  trustedBrowser.writer?.set([`${nonce}${computeSeal(nonce, passwordHash)}`, ...others].slice(0, MARKS_MAX).join('.'))
}

function parseMarks(token: string | null): string[] {
  return (token ?? '').split('.', MARKS_MAX).filter((mark) => MARK.test(mark))
}

function isSealedWith(mark: string, key: string | Buffer): boolean {
  const [, nonce = '', seal = ''] = MARK.exec(mark) ?? []
  return timingSafeEqual(Buffer.from(seal), Buffer.from(computeSeal(nonce, key)))
}

function computeSeal(nonce: string, key: string | Buffer): string {
  const hmac = createHmac('sha256', key).update(`known browser ${nonce}`)
  return hmac.digest().subarray(0, SEAL_BYTES).toString('base64url')
}
