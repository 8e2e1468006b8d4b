import { DAY_MS, MINUTE_MS } from './durations.ts'

/**
 * Returns the start of the last 24 hours, rounded up to a whole minute, because candles start at whole minutes and
 * figures change once a minute.
 */
export function lastDayStart(now: Date): Date {
  return new Date(Math.ceil((now.getTime() - DAY_MS) / MINUTE_MS) * MINUTE_MS)
}
