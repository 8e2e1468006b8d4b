import { DAY_MS } from '../../../lib/durations.ts'

/** Idle time after which a session ends. */
export const SESSION_MS = 30 * DAY_MS
/** Maximum lifetime of a session, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS
/** Minimum time between two records of a session's last use. */
export const NOTE_USE_AFTER_MS = 5 * 60_000
/** How long a replaced cookie still works, for requests already under way. */
export const OLD_COOKIE_GRACE_MS = 60_000
/** Minimum time between two extensions of a session. */
export const PROLONG_AFTER_MS = DAY_MS

/** Whether a text has the form of a session token. */
export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}
