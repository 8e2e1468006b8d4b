import type { Token } from '../api/api.ts'
import { timeBetween } from '../format/relative-time.ts'

/** The end time that the server sends for a permanent seal. */
export const FOREVER = '9999-12-31T23:59:59.999Z'
/** Time before the end of a seal from which every visitor sees a countdown, in ms. */
const LAST_MS = 5 * 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Describes a seal. Returns null if the liquidity is not sealed. */
export function describeSeal(seal: Token['seal'], nowMs: number) {
  if (seal == null || !holds(seal.liquidityUntil, nowMs)) return null
  const { liquidityUntil, bagUntil } = seal
  const leftMs = Date.parse(liquidityUntil) - nowMs
  const term = describeTerm(liquidityUntil, nowMs)
  const bagTerm = holds(bagUntil, nowMs) ? describeTerm(bagUntil, nowMs) : null
  return {
    text: describeShortly(shortenUnit(term), bagTerm === null ? null : shortenUnit(bagTerm)),
    /** The full text, which says what is sealed and for how long. */
    label:
      bagTerm === null
        ? `The liquidity is sealed ${term}`
        : `The liquidity is sealed ${term}, and the creator’s tokens are sealed ${bagTerm}`,
    /** The countdown in the last five minutes, such as `4:32`, or null before that. */
    countdown: leftMs <= LAST_MS ? toMinuteClock(leftMs) : null,
    minutes: Math.ceil(leftMs / 60_000),
  }
}

function describeShortly(term: string, bagTerm: string | null): string {
  if (bagTerm === null) return `Sealed ${term}`
  return bagTerm === term
    ? `Sealed ${term}, with the creator’s tokens`
    : `Sealed ${term}, and the creator’s tokens ${bagTerm}`
}

const holds = (until: string | null, nowMs: number): until is string => until !== null && nowMs < Date.parse(until)

/** Round the time to days, hours or minutes, so that a new seal for one day says "1 day". */
function describeTerm(until: string, nowMs: number): string {
  if (until === FOREVER) return 'for ever'
  const untilMs = Date.parse(until)
  const leftMs = untilMs - nowMs
  const unitMs = leftMs >= DAY_MS ? DAY_MS : leftMs >= HOUR_MS ? HOUR_MS : 60_000
  return `for ${timeBetween(new Date(nowMs).toISOString(), new Date(untilMs + unitMs / 2).toISOString())}`
}

/** Formats a time, such as `4:32`. */
export function toMinuteClock(leftMs: number): string {
  const seconds = Math.ceil(leftMs / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Shortens `12 minutes` to `12 min` for small spaces. */
export function shortenUnit(text: string): string {
  return text
    .replace(/ seconds?$/, ' s')
    .replace(/ minutes?$/, ' min')
    .replace(/ hours?$/, ' h')
}
