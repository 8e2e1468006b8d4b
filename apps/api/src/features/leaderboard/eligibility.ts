import type { GiveawayWindow } from './giveaway-window.ts'

const DAY_MS = 24 * 3_600_000

/** What tells whether a winner may win a giveaway. */
export interface Candidate {
  readonly account_created_at: Date
  /** Accounts with this wallet when the winner registered, the winner's own included. */
  readonly wallet_accounts: number
}

/** Why a winner of a window may not win a giveaway, a few words each; none for one who may. */
export function objectionsTo({ account_created_at, wallet_accounts }: Candidate, { until }: GiveawayWindow): string[] {
  const objections: string[] = []
  // By the window's end, so that closing late makes nobody older.
  if (until.getTime() - account_created_at.getTime() <= DAY_MS) objections.push('account not older than a day')
  if (wallet_accounts > 1) objections.push('wallet of an older account')
  return objections
}
