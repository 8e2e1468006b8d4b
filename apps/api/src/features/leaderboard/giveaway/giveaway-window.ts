import type { TradeWindow } from '../store.ts'

/** Length of a window in ms. Windows begin at 00, 06, 12 and 18 h UTC. */
const WINDOW_MS = 6 * 3_600_000
/**
 * Max difference between the clocks of nodes and of the operator's machine in ms. A trade is dated by its node's clock.
 */
const CLOCKS_APART_MS = 10_000

/** A fixed window of six hours, up to but not including `until`. */
export interface GiveawayWindow extends TradeWindow {
  readonly until: Date
}

export function giveawayWindow(since: Date): GiveawayWindow {
  return { since, until: new Date(since.getTime() + WINDOW_MS) }
}

/** Returns the window that contains `now`. */
export function currentGiveawayWindow(now: Date): GiveawayWindow {
  return giveawayWindow(new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS))
}

/** Returns the last window that has ended at `now`, whichever clock dated its trades. */
export function lastWindowOver(now: Date): GiveawayWindow {
  const until = Math.floor((now.getTime() - CLOCKS_APART_MS) / WINDOW_MS) * WINDOW_MS
  return giveawayWindow(new Date(until - WINDOW_MS))
}

/** Returns when a window has ended, whichever clock dated its trades. */
export function overSince({ until }: GiveawayWindow): Date {
  return new Date(until.getTime() + CLOCKS_APART_MS)
}

export function beginsWindow(time: Date): boolean {
  return time.getTime() % WINDOW_MS === 0
}
