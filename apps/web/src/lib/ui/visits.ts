import { serverNow } from '../api/server-now.ts'
import { readSetting, readStored, saveSetting, store, useStored } from './stored.ts'

/**
 * Storage keys of the last visit and of the start of the player's absence. Each stored value is the player's id and a
 * time in ms.
 */
const SEEN_KEY = 'papermoon-seen'
const AWAY_KEY = 'papermoon-away'
/** Min time of absence after which the page shows the news, in ms. */
const AWAY_MS = 3_600_000

function parse(stored: string | null, playerId: number): number | null {
  const [owner, ms] = (stored ?? '').split(' ')
  return owner === String(playerId) ? Number(ms) : null
}

/** Stores the time of this visit. If the last visit was an hour ago or more, the player was away since then. */
export function noteVisit(playerId: number): void {
  const seen = parse(readStored(SEEN_KEY), playerId)
  const now = serverNow()
  const wasAway = seen !== null && now - seen >= AWAY_MS
  if (wasAway && readAway(playerId) === null) saveSetting(AWAY_KEY, `${playerId} ${seen}`)
  store(SEEN_KEY, `${playerId} ${now}`)
}

/** Stores a visit whenever the page is shown or hidden. Returns a function that stops this. */
export function followVisits(playerId: number): () => void {
  const note = () => noteVisit(playerId)
  note()
  document.addEventListener('visibilitychange', note)
  return () => document.removeEventListener('visibilitychange', note)
}

/**
 * Returns since when the player was away, in ms since the epoch. Returns null if the player was not away, or has
 * already seen the news.
 */
export function readAway(playerId: number): number | null {
  return parse(readSetting(AWAY_KEY), playerId)
}

/** Returns the same value as `readAway`, and renders the component again when the value changes. */
export function useAway(playerId: number): number | null {
  return parse(useStored(AWAY_KEY), playerId)
}

export function forgetAway(): void {
  saveSetting(AWAY_KEY, null)
}
