const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Start of the last 24 hours, rounded up to a whole minute: candles start there, and figures change once a minute. */
export function lastDayStart(now: Date): Date {
  return new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS)
}
