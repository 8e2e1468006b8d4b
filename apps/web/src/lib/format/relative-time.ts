const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

/** From the longest: a time is told in the first unit that it fills. */
const UNITS = [
  [365 * DAY_S, 'year'],
  [30 * DAY_S, 'month'],
  [DAY_S, 'day'],
  [HOUR_S, 'hour'],
  [MINUTE_S, 'minute'],
] as const

/** How long before `nowMs` the ISO time `then` was: `just now`, `12 seconds ago`, `3 hours ago`. */
export function relativeTime(then: string, nowMs: number): string {
  const seconds = Math.floor((nowMs - Date.parse(then)) / 1_000)
  // Clocks differ: what seems to lie ahead has just happened.
  return seconds < 1 ? 'just now' : `${lengthOf(seconds)} ago`
}

/** How much time lies between two ISO times, in the first unit that it fills: `3 hours`. */
export function timeBetween(start: string, end: string): string {
  const seconds = Math.floor((Date.parse(end) - Date.parse(start)) / 1_000)
  return seconds < 1 ? 'less than a second' : lengthOf(seconds)
}

function lengthOf(seconds: number): string {
  for (const [length, name] of UNITS) {
    if (seconds >= length) return counted(Math.floor(seconds / length), name)
  }
  return counted(seconds, 'second')
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
