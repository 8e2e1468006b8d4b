export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

/** Returns the start of the span of `ms` that contains a time. Spans are aligned to the epoch. */
export function alignToSpan(ms: number, time: Date): Date {
  return new Date(Math.floor(time.getTime() / ms) * ms)
}
