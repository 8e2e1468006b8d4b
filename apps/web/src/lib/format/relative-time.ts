import { counted } from './counted.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** Time units, the longest first. The first unit that fits into the time is used. */
const UNITS = [
  [365 * DAY_S, 'year'],
  [30 * DAY_S, 'month'],
  [DAY_S, 'day'],
  [HOUR_S, 'hour'],
  [MINUTE_S, 'minute'],
] as const

/** Formats the time from the ISO time `then` to `nowMs`, such as `just now`, `12 seconds ago` or `3 hours ago`. */
export function relativeTime(then: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(then)) / 1_000)
  // Show a negative number of seconds as just now, because clocks differ.
  return seconds < 1 ? 'just now' : `${formatLength(seconds)} ago`
}

/** Formats a number of seconds in the largest unit that fits, such as `3 hours`. */
function formatLength(seconds: number): string {
  for (const [length, name] of UNITS) {
    if (seconds >= length) return counted(Math.floor(seconds / length), name)
  }
  return counted(seconds, 'second')
}

/** Formats the time between two ISO times in the largest unit that fits, such as `3 hours`. */
export function timeBetween(start: string, end: string): string {
  const seconds = Math.floor((Date.parse(end) - Date.parse(start)) / 1_000)
  return seconds < 1 ? 'less than a second' : formatLength(seconds)
}
