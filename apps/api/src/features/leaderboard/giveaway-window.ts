import type { TradeWindow } from './store.ts'

/** Windows begin at 00, 06, 12 and 18 h UTC. */
const WINDOW_MS = 6 * 3_600_000
/** How far the clocks of the nodes and of the operator's machine may be apart: a trade gets its time from its node's. */
const CLOCKS_APART_MS = 10_000

/** A fixed window of six hours, whose end is not in it. */
export interface GiveawayWindow extends TradeWindow {
  readonly until: Date
}

/** The window that begins at a time. */
export function giveawayWindow(since: Date): GiveawayWindow {
  return { since, until: new Date(since.getTime() + WINDOW_MS) }
}

/** The last window that is over at a time, whatever clock a trade's time was read from. */
export function lastWindowOver(now: Date): GiveawayWindow {
  const until = Math.floor((now.getTime() - CLOCKS_APART_MS) / WINDOW_MS) * WINDOW_MS
  return giveawayWindow(new Date(until - WINDOW_MS))
}

/** Since when a window is over, whatever clock a trade's time was read from. */
export function overSince({ until }: GiveawayWindow): Date {
  return new Date(until.getTime() + CLOCKS_APART_MS)
}

/** Whether a window begins at a time. */
export function beginsWindow(time: Date): boolean {
  return time.getTime() % WINDOW_MS === 0
}
