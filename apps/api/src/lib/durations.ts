export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/**
 * Returns the whole seconds until a Unix time in ms, rounded up. At least 1, because clients use it to wait before a
 * retry.
 */
export function countSecondsUntil(atMs: number, now: Date): number {
  return Math.max(1, Math.ceil((atMs - now.getTime()) / 1_000))
}
