import { counted } from './counted.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** Time units, longest first. The first unit that fits into the time is used. */
const UNITS = [
  [365 * DAY_S, 'year'],
  [30 * DAY_S, 'month'],
  [DAY_S, 'day'],
  [HOUR_S, 'hour'],
  [MINUTE_S, 'minute'],
] as const

/** Formats the time from the ISO time `then` to `nowMs`: `just now`, `12 seconds ago`, `3 hours ago`. */
export function relativeTime(then: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(then)) / 1_000)
  // A negative number of seconds, caused by different clocks, shows as just now.
  return seconds < 1 ? 'just now' : `${formatLength(seconds)} ago`
}

/** Formats a number of seconds in their largest unit: `3 hours`. */
export function formatLength(seconds: number): string {
  for (const [length, name] of UNITS) {
    if (seconds >= length) return counted(Math.floor(seconds / length), name)
  }
  return counted(seconds, 'second')
}
