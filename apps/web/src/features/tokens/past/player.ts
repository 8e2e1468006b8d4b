import { formatCount } from '@papermoon/format'
export const SPEEDS = [1, 10, 100] as const
export type Speed = (typeof SPEEDS)[number]

/** Number of a rugged token's last events that are played in slow motion. */
export const SLOW_EVENTS = 10

export interface Player {
  /** Sequence number of the last event that the page includes. */
  readonly seq: number
  /** The token's last sequence number, or null until the server has responded. */
  readonly lastSeq: number | null
  readonly isPlaying: boolean
  readonly speed: Speed
}

export type PlayerAction =
  | { readonly type: 'seek'; readonly seq: number }
  | { readonly type: 'step'; readonly by: number }
  | { readonly type: 'end' }
  /** Continues the replay. If all events were played, starts again at the launch. */
  | { readonly type: 'play' }
  | { readonly type: 'pause' }
  | { readonly type: 'speed'; readonly speed: Speed }
  /** Plays the events that led to the rug pull. */
  | { readonly type: 'playRug' }
  | { readonly type: 'played'; readonly seq: number }
  | { readonly type: 'known'; readonly lastSeq: number }

export function startPlayer(seq: number): Player {
  return { seq, lastSeq: null, isPlaying: false, speed: 1 }
}

/** Applies an action. Seeking and stepping pause the replay. The position never leaves the token's history. */
export function reducePlayer(player: Player, action: PlayerAction): Player {
  switch (action.type) {
    case 'seek':
      return moveTo(player, action.seq)
    case 'step':
      return moveTo(player, player.seq + action.by)
    case 'end':
      return moveTo(player, player.lastSeq ?? player.seq)
    case 'play':
      return playFrom(player, isAtEnd(player) ? 0 : player.seq)
    case 'pause':
      return player.isPlaying ? { ...player, isPlaying: false } : player
    case 'speed':
      return { ...player, speed: action.speed }
    case 'playRug':
      return playFrom(player, Math.max(0, (player.lastSeq ?? player.seq) - SLOW_EVENTS))
    case 'played':
      // Ignore a frame that arrives after the player paused the replay.
      return player.isPlaying ? stopAtEnd({ ...player, seq: action.seq }) : player
    case 'known':
      return learnEnd(player, action.lastSeq)
  }
}

/** Returns whether all events were played, or false if the last event is not known yet. */
export function isAtEnd({ seq, lastSeq }: Player): boolean {
  return lastSeq !== null && seq >= lastSeq
}

function moveTo(player: Player, seq: number): Player {
  const to = Math.min(Math.max(seq, 0), player.lastSeq ?? Number.MAX_SAFE_INTEGER)
  return to === player.seq && !player.isPlaying ? player : { ...player, seq: to, isPlaying: false }
}

function playFrom(player: Player, seq: number): Player {
  if (player.lastSeq === 0) return player
  return { ...player, seq, isPlaying: true }
}

function stopAtEnd(player: Player): Player {
  return isAtEnd(player) ? { ...player, isPlaying: false } : player
}

/** Stores the token's last sequence number. Ignores an older response, because a history only becomes longer. */
function learnEnd(player: Player, lastSeq: number): Player {
  return player.lastSeq !== null && lastSeq <= player.lastSeq ? player : { ...player, lastSeq }
}

/** Longest pause between two events at normal speed, in ms. */
const PAUSE_MAX_MS = 1_500
/** Shortest pause between two events, in ms. This pause limits the work per frame and the number of fetched pages. */
const PAUSE_MIN_MS = 10
const SLOW_MS = 800

interface Pace {
  readonly speed: Speed
  /** Real time between the two events, in ms. */
  readonly gapMs: number
  /** Whether slow motion is due, because a rug pull comes next and the player allows motion. */
  readonly isSlow: boolean
}

/**
 * Returns the pause between two events in the replay, in ms. The pause equals the real time between the events, but
 * long pauses are shortened.
 */
export function computePause({ speed, gapMs, isSlow }: Pace): number {
  if (isSlow) return SLOW_MS
  return Math.max(Math.min(gapMs, PAUSE_MAX_MS) / speed, PAUSE_MIN_MS)
}

/** Names an event, such as `the launch`, `trade #1,234`, or `the rug pull`. */
export function nameEvent(seq: number, isRug: boolean): string {
  if (isRug) return 'the rug pull'
  return seq === 0 ? 'the launch' : `trade #${formatCount(seq)}`
}
