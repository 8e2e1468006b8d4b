import type { GiveawayWindow } from './giveaway-window.ts'

const DAY_MS = 24 * 3_600_000

/** What tells whether a winner may win a giveaway. */
export interface Candidate {
  readonly account_created_at: Date
  /** Accounts with this wallet when the winner registered, the winner's own included. */
  readonly wallet_accounts: number
  /** Accounts with a browser of the winner's that are no younger, the winner's own included. */
  readonly browser_accounts: number
  /** How much of the profit one other account paid; null: none, or not known. */
  readonly source_percent: number | null
  readonly source_shares_browser: boolean
}

/** From here on, a profit is mostly another account's money. */
export const MOSTLY_PERCENT = 50

/** Why a winner of a window may not win a giveaway, a few words each; none for one who may. */
export function objectionsTo(candidate: Candidate, { until }: GiveawayWindow): string[] {
  const { account_created_at, wallet_accounts, browser_accounts, source_percent, source_shares_browser } = candidate
  const objections: string[] = []
  // By the window's end, so that closing late makes nobody older.
  if (until.getTime() - account_created_at.getTime() <= DAY_MS) objections.push('account not older than a day')
  if (wallet_accounts > 1) objections.push('wallet of an older account')
  if (browser_accounts > 1) objections.push('browser of an older account')
  if (source_shares_browser && isMostly(source_percent)) {
    objections.push(`${source_percent} % of the profit from an account in the same browser`)
  }
  return objections
}

/**
 * What to look at before something is sent, a few words each. Strangers can bring it about, by paying for a rival's
 * profit, so alone it rules nobody out.
 */
export function doubtsAbout({ source_percent, source_shares_browser }: Candidate): string[] {
  if (source_shares_browser || !isMostly(source_percent)) return []
  return [`${source_percent} % of the profit from one account`]
}

function isMostly(percent: number | null): boolean {
  return percent !== null && percent >= MOSTLY_PERCENT
}
