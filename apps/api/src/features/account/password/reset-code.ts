import { createHash, randomInt } from 'node:crypto'

const MINUTE_MS = 60_000

export const RESET_CODE_MS = 15 * MINUTE_MS
/** Max number of wrong codes from the browser that requested the reset. After that, the code is invalid. */
export const RESET_TRIES_MAX = 5
/** Max number of codes per account and day from browsers that did not request the reset. */
export const GUESSES_MAX = 15
/**
 * Max number of codes per account and day with and without proof of work. The chance to guess a code is about one in
 * ten thousand.
 */
export const WORKED_GUESSES_MAX = 115
/** Min time in ms between two mails to an account beyond the limits. The link in the first mail is still valid. */
export const MAIL_PAUSE_MS = 5 * MINUTE_MS

/**
 * Max number of wrong codes without proof of work per BUDGET_WINDOW_MS, for all accounts and nodes together. The chance
 * to guess a code is 0.1 %.
 */
export const FREE_TRIES_MAX = 1_000
export const BUDGET_WINDOW_MS = 24 * 60 * MINUTE_MS

/** Creates six random digits. */
export function newResetCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/**
 * Returns the key under which resets are stored. It is a hash, because the address may belong to someone without an
 * account.
 */
export function toAccountKey(emailKey: string): Buffer {
  return createHash('sha256').update(emailKey).digest()
}
