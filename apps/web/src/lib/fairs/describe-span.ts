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

/** Formats the time in which players must trade enough to be ranked, two thirds of the fair: `3:20 minutes`, `1:20 hours`. */
export function describeQualifying({ startsAt, endsAt }: Pick<Fair, 'startsAt' | 'endsAt'>): string {
  const ms = ((Date.parse(endsAt) - Date.parse(startsAt)) * 2) / 3
  const [size, name] = ms >= 60 * MINUTE_MS ? [60 * MINUTE_MS, 'hour'] : [MINUTE_MS, 'minute']
  const [whole, part] = [Math.floor(ms / size), Math.floor(((ms % size) / size) * 60)]
  return part === 0 ? counted(whole, name) : `${whole}:${String(part).padStart(2, '0')} ${name}s`
}

/** Says what a guest can no longer win by entering a running arena. Returns null if nothing is lost yet. */
export function describeLateness({ kind, isQuick, state, me, startsAt, endsAt }: Fair, nowMs: number): string | null {
  if (kind !== 'arena' || isQuick || state !== 'open' || me !== null) return null
  const part = (nowMs - Date.parse(startsAt)) / (Date.parse(endsAt) - Date.parse(startsAt))
  if (part < 1 / 3) return null
  return part < 2 / 3 ? 'It is too late for a medal, but you can still be ranked.' : 'It is too late to be ranked.'
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
