import type { Fair } from '../api/api.ts'
import { counted } from '../format/counted.ts'
import { HOUR_AND_MINUTE } from '../format/moment-text.ts'
import { type Timed, waitsForHost } from './fair-time.ts'

const MINUTE_MS = 60_000
const UNITS = [
  [24 * 60, 'day'],
  [60, 'hour'],
] as const

/** Min number of hours or days for which the number is rounded. */
const ROUNDED_FROM = 3

/**
 * Formats how long trading lasts: `15 minutes`, `2 hours`, `7 days`. From three hours or three days on, the number is
 * rounded.
 */
export function describeLength({ startsAt, endsAt }: Pick<Fair, 'startsAt' | 'endsAt'>): string {
  const minutes = Math.max(1, Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / MINUTE_MS))
  const isUsed = (length: number) => minutes % length === 0 || minutes >= ROUNDED_FROM * length
  const [size, name] = UNITS.find(([length]) => isUsed(length)) ?? [1, 'minute']
  return counted(Math.round(minutes / size), name)
}

/**
 * Returns the latest end of trading, such as `14:15`. Includes the day if it is not today. Returns null if the host
 * decides when trading starts.
 */
export function describeEnd(fair: Timed, nowMs: number): string | null {
  if (waitsForHost(fair)) return null
  const end = new Date(fair.endsAt)
  const isToday = end.toDateString() === new Date(nowMs).toDateString()
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
  return end.toLocaleString([], { ...day, ...HOUR_AND_MINUTE })
}

/** Formats a fair's duration and end, such as `15 minutes, until 14:15`. */
export function describeSpan(fair: Timed, nowMs: number): string {
  const end = describeEnd(fair, nowMs)
  return end === null ? describeLength(fair) : `${describeLength(fair)}, until ${end}`
}
