import { DAY_MS } from '../../../lib/durations.ts'

/** Idle time after which a session ends, in ms. */
export const SESSION_MS = 30 * DAY_MS
/** Max lifetime of a session in ms, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS
/** Min time between two updates of a session's last use, in ms. */
export const NOTE_USE_AFTER_MS = 5 * 60_000
/** How long a replaced cookie still works, for running requests, in ms. */
export const OLD_COOKIE_GRACE_MS = 60_000
/** Min time between two extensions of a session, in ms. */
export const PROLONG_AFTER_MS = DAY_MS

/** Returns whether a text has the form of a session token. */
export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}
