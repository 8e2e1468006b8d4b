import type { Timers } from '@papermoon/engine'

export const MINUTE_MS = 60_000

export const HOUR_MS = 60 * MINUTE_MS

export const DAY_MS = 24 * HOUR_MS

/**
 * Returns the whole seconds until a Unix time in ms, rounded up. The result is at least 1, because clients wait that
 * long before a retry.
 */
export function countSecondsUntil(atMs: number, now: Date): number {
  return Math.max(1, Math.ceil((atMs - now.getTime()) / 1_000))
}

/**
 * Returns the time 24 hours ago, rounded up to a whole minute. Candles start at whole minutes, so statistics change
 * once a minute.
 */
export function lastDayStart(now: Date): Date {
  return new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS)
}

/** The promise resolves after `ms`, or when the signal is aborted. */
export function sleep(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const end = () => {
      cancel()
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(ms, end)
    signal?.addEventListener('abort', end)
  })
}
