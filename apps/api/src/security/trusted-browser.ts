import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'

const NONCE_BYTES = 12
const SEAL_BYTES = 16
/** Accounts that one browser is known to: a family's. The oldest is forgotten. */
const MARKS_MAX = 4
/** Of 12 and of 16 bytes in base64url. */
const MARK = /^([\w-]{16})([\w-]{22})$/

/** Seals nothing that anybody has: an unknown account knows no browser. */
const decoyKey = randomBytes(32)

/**
 * Which of an account's known browsers asks, or null for a stranger. A browser is known where its cookie holds a mark
 * sealed with the account's password hash: its salt is random and never leaves the database, so nobody else can make
 * one, every node can check it, and a new password forgets every browser. Without a hash (an unknown account) the
 * answer is null after the same work.
 */
export function findTrustedBrowser({ trustedBrowserToken }: Context, passwordHash: string | undefined): string | null {
  return parseMarks(trustedBrowserToken).find((mark) => isSealedWith(mark, passwordHash ?? decoyKey)) ?? null
}

/** From now on this browser is known to the account with this password hash. */
export function trustBrowser({ trustedBrowserToken, trustedBrowserCookie }: Context, passwordHash: string): void {
  const others = parseMarks(trustedBrowserToken).filter((mark) => !isSealedWith(mark, passwordHash))
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  trustedBrowserCookie?.set([`${nonce}${computeSeal(nonce, passwordHash)}`, ...others].slice(0, MARKS_MAX).join('.'))
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
