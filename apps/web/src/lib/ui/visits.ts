import { serverNow } from '../api/server-now.ts'
import { readStored, store } from './stored.ts'

/** Stores the player's id, the time of their last visit, and since when they were away: `ID MS` each. */
const SEEN_KEY = 'papermoon-seen'
const AWAY_KEY = 'papermoon-away'
/** Min time away in ms after which the player gets a welcome. */
const AWAY_MS = 3_600_000

const listeners = new Set<() => void>()

function read(key: string, playerId: number): number | null {
  const [owner, ms] = (readStored(key) ?? '').split(' ')
  return owner === String(playerId) ? Number(ms) : null
}

/** Records that the player is here now. After an hour without a visit, they were away since the last one. */
export function noteVisit(playerId: number): void {
  const seen = read(SEEN_KEY, playerId)
  const now = serverNow()
  if (seen !== null && now - seen >= AWAY_MS && readAway(playerId) === null) store(AWAY_KEY, `${playerId} ${seen}`)
  store(SEEN_KEY, `${playerId} ${now}`)
  for (const listener of listeners) listener()
}

/** Records visits whenever the page is shown or hidden. Returns a function that stops this. */
export function followVisits(playerId: number): () => void {
  const note = () => noteVisit(playerId)
  note()
  document.addEventListener('visibilitychange', note)
  return () => document.removeEventListener('visibilitychange', note)
}

/** Returns since when the player was away, in Unix ms. Returns null if they were not, or have seen the welcome. */
export function readAway(playerId: number): number | null {
  return read(AWAY_KEY, playerId)
}

/** Records that the player has seen the welcome. */
export function forgetAway(): void {
  store(AWAY_KEY, null)
  for (const listener of listeners) listener()
}

export function onVisit(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
