import { createHash, randomInt } from 'node:crypto'

const MINUTE_MS = 60_000

export const RESET_CODE_MS = 15 * MINUTE_MS
/** Wrong codes allowed from the browser that requested the reset; after that the code is dead. */
export const RESET_TRIES_MAX = 5
/** Codes allowed per account and day from browsers that did not request the reset. */
export const GUESSES_MAX = 15
/** With proof of work, those without it included: a chance of about one in ten thousand to hit a code. */
export const WORKED_GUESSES_MAX = 115
/** Minimum time between two mails to an account past the limits; the link in the first is still valid. */
export const MAIL_PAUSE_MS = 5 * MINUTE_MS

/**
 * Wrong codes in BUDGET_WINDOW_MS without proof of work, over all accounts and nodes: a 0.1 % chance to hit a code.
 */
export const FREE_TRIES_MAX = 1_000
export const BUDGET_WINDOW_MS = 24 * 60 * MINUTE_MS

/** Six random digits. */
export function newResetCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** The key that resets are stored under: a hash, since the address may belong to someone without an account. */
export function toAccountKey(emailKey: string): Buffer {
  return createHash('sha256').update(emailKey).digest()
}
