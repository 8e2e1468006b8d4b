import { serverNow } from '../api/server-now.ts'

const DAY_AND_MINUTE = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const

/**
 * Formats a time in the visitor's locale and time zone, such as `14 Nov, 10:32`. Includes the year if it is not the
 * current year.
 */
export function formatMoment(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  const isThisYear = date.getFullYear() === now.getFullYear()
  return date.toLocaleString([], { ...DAY_AND_MINUTE, ...(!isThisYear && { year: 'numeric' }) })
}
