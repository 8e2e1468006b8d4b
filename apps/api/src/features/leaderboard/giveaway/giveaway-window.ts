import { DAY_MS } from '../../../lib/durations.ts'
import type { TradeWindow } from '../store.ts'

/** Length of a giveaway window in ms. Giveaway windows begin at 00, 06, 12 and 18 h UTC. */
const WINDOW_MS = 6 * 3_600_000

/**
 * Max difference between the clocks of nodes and of the operator's machine, in ms. The difference matters, because each
 * trade gets its time from a node's clock.
 */
const CLOCKS_APART_MS = 10_000

/** If this percentage of a profit comes from one source, it is mostly other players' money. */
const MOSTLY_PERCENT = 50

/** Facts that decide whether a winner may get a giveaway. */
interface Candidate {
  readonly account_created_at: Date
  /** Number of accounts, including the winner's, with this wallet when the winner registered. */
  readonly wallet_accounts: number
  /** Number of accounts, including the winner's, that used one of the winner's browsers and are at least as old. */
  readonly browser_accounts: number
  /**
   * Percentage of the profit that one other account paid, or all accounts in the winner's browsers together. The
   * percentage is null if there is none or it is unknown.
   */
  readonly source_percent: number | null
  readonly source_shares_browser: boolean
  /** Whether the account is active now, which means neither suspended nor frozen. */
  readonly may_rank?: boolean
}

/** A fixed period of six hours that ends just before `until`. */
export interface GiveawayWindow extends TradeWindow {
  readonly until: Date
}

export function giveawayWindow(since: Date): GiveawayWindow {
  return { since, until: new Date(since.getTime() + WINDOW_MS) }
}

/** Returns the giveaway window that contains `now`. */
export function currentGiveawayWindow(now: Date): GiveawayWindow {
  return giveawayWindow(new Date(Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS))
}

/** Returns the last giveaway window that had ended by `now` on every node's clock. */
export function lastWindowOver(now: Date): GiveawayWindow {
  const until = Math.floor((now.getTime() - CLOCKS_APART_MS) / WINDOW_MS) * WINDOW_MS
  return giveawayWindow(new Date(until - WINDOW_MS))
}

/** Returns the time at which a window has ended on every node's clock. */
export function overSince({ until }: GiveawayWindow): Date {
  return new Date(until.getTime() + CLOCKS_APART_MS)
}

export function beginsWindow(time: Date): boolean {
  return time.getTime() % WINDOW_MS === 0
}

/** Returns the reasons why a winner may not get a giveaway, in a few words each; empty if the winner is eligible. */
export function objectionsTo(candidate: Candidate, { until }: GiveawayWindow): string[] {
  const { account_created_at, wallet_accounts, browser_accounts, source_percent, source_shares_browser } = candidate
  const objections: string[] = []
  // Use the account's age at the window's end, because the window may be closed late.
  if (until.getTime() - account_created_at.getTime() <= DAY_MS) objections.push('the account is not older than a day')
  if (candidate.may_rank === false) objections.push('the account is suspended')
  if (wallet_accounts > 1) objections.push('an older account uses the same wallet')
  if (browser_accounts > 1) objections.push('an older account uses the same browser')
  if (source_shares_browser && isMostly(source_percent)) {
    objections.push(`${source_percent} % of the profit came from accounts in the same browser`)
  }
  return objections
}

/**
 * Returns doubts that an operator should check before sending a reward, in a few words each. A doubt alone excludes
 * nobody, because strangers can cause it by paying for a rival's profit.
 */
export function doubtsAbout({ source_percent, source_shares_browser }: Candidate): string[] {
  if (source_shares_browser || !isMostly(source_percent)) return []
  return [`${source_percent} % of the profit came from one account`]
}

function isMostly(percent: number | null): boolean {
  return percent !== null && percent >= MOSTLY_PERCENT
}
