import type { TradeWindow } from './store.ts'

const WINDOW_MS = 6 * 3_600_000
const MAX_AGE_MS = 30_000

/** Returns the period that the leaderboard and the bots' league rank. */
export function lastSixHours(now: Date): TradeWindow {
  return { since: new Date(now.getTime() - WINDOW_MS), until: null }
}

/** Returns whether a ranking read at `atMs` is still shown. */
export function isRecent(atMs: number, nowMs: number): boolean {
  return nowMs >= atMs && nowMs < atMs + MAX_AGE_MS
}
