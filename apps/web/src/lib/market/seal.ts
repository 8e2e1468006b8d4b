import type { Token } from '../api/api.ts'
import { timeBetween } from '../format/time-between.ts'

/** The end of a seal that is for ever, as the server sends it. */
export const FOREVER = '9999-12-31T23:59:59.999Z'
/** Everyone sees the last minutes of a seal counted down. */
const LAST_MS = 5 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export interface SealWords {
  /** `Sealed for 1 day, with the creator’s bag`. */
  readonly text: string
  /** All that is sealed and how long, in full words. */
  readonly label: string
  /** `4:32` in the last five minutes, else null. */
  readonly countdown: string | null
  readonly minutes: number
}

/** Describes a seal; null while the liquidity is not sealed. */
export function describeSeal(seal: Token['seal'], nowMs: number): SealWords | null {
  if (seal == null || !holds(seal.liquidityUntil, nowMs)) return null
  const { liquidityUntil, bagUntil } = seal
  const leftMs = Date.parse(liquidityUntil) - nowMs
  const term = describeTerm(liquidityUntil, nowMs)
  const bagTerm = holds(bagUntil, nowMs) ? describeTerm(bagUntil, nowMs) : null
  return {
    text: describeShortly(shortenUnit(term), bagTerm === null ? null : shortenUnit(bagTerm)),
    label:
      bagTerm === null
        ? `The liquidity is sealed ${term}`
        : `The liquidity is sealed ${term}, the creator’s bag ${bagTerm}`,
    countdown: leftMs <= LAST_MS ? toMinuteClock(leftMs) : null,
    minutes: Math.ceil(leftMs / 60_000),
  }
}

function describeShortly(term: string, bagTerm: string | null): string {
  if (bagTerm === null) return `Sealed ${term}`
  return bagTerm === term ? `Sealed ${term}, with the creator’s bag` : `Sealed ${term}, the creator’s bag ${bagTerm}`
}

const holds = (until: string | null, nowMs: number): until is string => until !== null && nowMs < Date.parse(until)

/** To the nearest day, hour or minute: a seal of a day is one when it begins, too. */
function describeTerm(until: string, nowMs: number): string {
  if (until === FOREVER) return 'for ever'
  const untilMs = Date.parse(until)
  const leftMs = untilMs - nowMs
  const unitMs = leftMs >= DAY_MS ? DAY_MS : leftMs >= HOUR_MS ? HOUR_MS : 60_000
  return `for ${timeBetween(new Date(nowMs).toISOString(), new Date(untilMs + unitMs / 2).toISOString())}`
}

/** `4:32`. */
export function toMinuteClock(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** `12 minutes` as `12 min`, where there is little room. */
export function shortenUnit(text: string): string {
  return text
    .replace(/ seconds?$/, ' s')
    .replace(/ minutes?$/, ' min')
    .replace(/ hours?$/, ' h')
}
