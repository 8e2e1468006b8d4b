import type { Fair } from '../api/api.ts'

/** The phases of a fair: before its lobby, in the lobby, trading, near the bell, after the bell, and ended. */
export type Phase = 'soon' | 'lobby' | 'open' | 'bell' | 'counting' | 'over'

/** Returns whether the visitor plays in a fair, which a host does not have to. */
export function hasJoined({ me }: Pick<Fair, 'me'>): boolean {
  return me?.balance != null && !me.hasLeft
}

/** The times and other properties that determine a fair's phase. */
export type Timed = Pick<
  Fair,
  'kind' | 'host' | 'me' | 'state' | 'lobbyAt' | 'startsAt' | 'bellFrom' | 'endsAt' | 'bellAt'
>

export function getPhase({ state, lobbyAt, bellFrom, endsAt, bellAt }: Timed, nowMs: number): Phase {
  if (state === 'settled' || state === 'void') return 'over'
  if (state === 'lobby') return nowMs < Date.parse(lobbyAt) ? 'soon' : 'lobby'
  if (bellAt !== null || nowMs >= Date.parse(endsAt)) return 'counting'
  return nowMs < Date.parse(bellFrom) ? 'open' : 'bell'
}

/** Max time that a room without a start time waits for its host, in ms. After this time, the room starts by itself. */
const HOST_MAX_MS = 24 * 3_600_000

/** Returns whether a room starts only when its host starts it. */
export function waitsForHost({ kind, state, startsAt, lobbyAt }: Timed): boolean {
  return state === 'lobby' && kind === 'room' && Date.parse(startsAt) - Date.parse(lobbyAt) === HOST_MAX_MS
}

/** Returns a fair's phase with its name, and a clock, such as `04:12`, which is empty if the phase's end is unknown. */
export function describeTime(fair: Timed, nowMs: number) {
  const phase = getPhase(fair, nowMs)
  const startsInMs = Date.parse(fair.startsAt) - nowMs
  if (phase === 'soon' || phase === 'lobby') {
    if (startsInMs <= 0) return { phase, words: 'opening now', clock: '' }
    const host = fair.me?.isHost === true ? 'you' : fair.host?.username
    if (waitsForHost(fair)) return { phase, words: `waiting for ${host} to start it`, clock: '' }
    return { phase, words: 'starts in', clock: toClock(startsInMs) }
  }
  if (phase === 'open') {
    const words = nameBellPart(fair) === null ? 'ends in' : 'ends within'
    return { phase, words, clock: toClock(Date.parse(fair.endsAt) - nowMs) }
  }
  if (phase === 'bell') return { phase, words: 'any moment now', clock: '' }
  if (phase === 'counting') return { phase, words: 'the bell has rung', clock: '' }
  return { phase, words: fair.state === 'void' ? 'results don’t count' : 'over', clock: '' }
}

/**
 * Returns the name of the part of a fair in which its bell can ring, such as `minute`. Returns null if the bell rings
 * when the clock reaches zero.
 */
export function nameBellPart({ bellFrom, endsAt }: Pick<Timed, 'bellFrom' | 'endsAt'>): 'minute' | 'hour' | null {
  const ms = Date.parse(endsAt) - Date.parse(bellFrom)
  if (ms === 0) return null
  return ms > 60_000 ? 'hour' : 'minute'
}

/**
 * Formats a duration, such as `04:12`. From an hour on, the format is `1:02:03`, and from two days on, it is `3 d 4 h`.
 */
export function toClock(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  const hours = Math.floor(seconds / 3_600)
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`
  const two = (part: number) => String(part).padStart(2, '0')
  const rest = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return hours === 0 ? rest : `${hours}:${rest}`
}

/**
 * Returns when one of these fairs next changes its phase, in ms since the epoch. Returns null if no phase changes by
 * itself.
 */
export function findNextChange(fairs: readonly Timed[], nowMs: number): number | null {
  const moments = fairs
    .flatMap(({ lobbyAt, startsAt, bellFrom, endsAt }) => [lobbyAt, startsAt, bellFrom, endsAt])
    .map((moment) => Date.parse(moment))
    .filter((ms) => ms > nowMs)
  return moments.length === 0 ? null : Math.min(...moments)
}
