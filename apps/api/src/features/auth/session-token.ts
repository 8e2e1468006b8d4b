const DAY_MS = 24 * 3_600_000

/** A session that is not used for this long ends. */
export const SESSION_MS = 30 * DAY_MS
/** A session ends so long after it began, however much it is used. */
export const SESSION_MAX_MS = 90 * DAY_MS
/** When and from where a session is used is written down when it last was so long ago, not at each call. */
export const NOTE_USE_AFTER_MS = 5 * 60_000
/** A cookie that was swapped counts a little longer: other requests are under way with it. */
export const OLD_COOKIE_GRACE_MS = 60_000
/** A session is prolonged when it was last prolonged so long ago, not at each call. */
export const PROLONG_AFTER_MS = DAY_MS

/** Whether a cookie can be one of our tokens at all. */
export function isSessionToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}
