import { createHash, randomInt } from 'node:crypto'

const MINUTE_MS = 60_000

/** A reset code is good for this long. */
export const RESET_CODE_MS = 15 * MINUTE_MS
/** Wrong codes that the browser that asked may send; then the code is dead. */
export const RESET_TRIES_MAX = 5
/** Codes that browsers that did not ask may send in GUESS_WINDOW_MS, of one account. */
export const GUESSES_MAX = 15
export const GUESS_WINDOW_MS = 24 * 60 * MINUTE_MS
/** Past the limits an account gets no second mail within this time: the link in the first is still good. */
export const MAIL_PAUSE_MS = 5 * MINUTE_MS

/** Of all accounts and nodes together, wrong codes that take no work in BUDGET_WINDOW_MS: a thousandth of a right one. */
export const FREE_TRIES_MAX = 1_000
export const BUDGET_WINDOW_MS = 24 * 60 * MINUTE_MS

/** Six random digits. */
export function newResetCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0')
}

/** Whether somebody sends the secret of a mailed link, not six digits. */
export function isLinkSecret(token: string): boolean {
  return /^[\w-]{43}$/.test(token)
}

/** What resets are kept under: not the address itself, which may be that of somebody who has no account. */
export function toAccountKey(emailKey: string): Buffer {
  return createHash('sha256').update(emailKey).digest()
}
