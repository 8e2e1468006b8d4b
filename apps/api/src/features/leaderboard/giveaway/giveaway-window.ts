import type { TradeWindow } from '../store.ts'

/** Windows begin at 00, 06, 12 and 18 h UTC. */
const WINDOW_MS = 6 * 3_600_000
/**
 * Maximum difference between the clocks of nodes and of the operator's machine; a trade is dated by its node's clock.
 */
const CLOCKS_APART_MS = 10_000

/** A fixed window of six hours; `until` is not part of it. */
export interface GiveawayWindow extends TradeWindow {
  readonly until: Date
}

export function giveawayWindow(since: Date): GiveawayWindow {
  return { since, until: new Date(since.getTime() + WINDOW_MS) }
}

/** The window that `now` is in. */
export function currentGiveawayWindow(now: Date): GiveawayWindow {
  return giveawayWindow(new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS))
}

/** The last window that is over at `now`, whichever clock dated its trades. */
export function lastWindowOver(now: Date): GiveawayWindow {
  const until = Math.floor((now.getTime() - CLOCKS_APART_MS) / WINDOW_MS) * WINDOW_MS
  return giveawayWindow(new Date(until - WINDOW_MS))
}

/** When a window is over, whichever clock dated its trades. */
export function overSince({ until }: GiveawayWindow): Date {
  return new Date(until.getTime() + CLOCKS_APART_MS)
}

export function beginsWindow(time: Date): boolean {
  return time.getTime() % WINDOW_MS === 0
}
