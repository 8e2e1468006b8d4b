import { serverNow } from '../api/server-now.ts'

/** Every time of day has 24 hours, as in the names of arenas and in charts. */
export const DAY_CLOCK = { hourCycle: 'h23' } as const

export const HOUR_AND_MINUTE = { hour: '2-digit', minute: '2-digit', ...DAY_CLOCK } as const
const DAY_AND_MINUTE = { day: 'numeric', month: 'short', ...HOUR_AND_MINUTE } as const

/**
 * Formats a time in the visitor's locale and time zone, such as `14 Nov, 10:32`. Includes the year if it is not the
 * current year.
 */
export function formatMoment(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleString([], { ...DAY_AND_MINUTE, ...(!isThisYear && { year: 'numeric' }) })
}

/** Formats a date and time in the visitor's locale, such as `29 November 2026 at 10:04`. */
export function formatLongMoment(time: string): string {
  return new Date(time).toLocaleString([], { dateStyle: 'long', timeStyle: 'short', ...DAY_CLOCK })
}
