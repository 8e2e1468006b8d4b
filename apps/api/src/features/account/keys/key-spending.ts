import { Decimal, solText } from '@papermoon/amm'

/** Columns in `api_keys` for an API key's spending limit and what the key has spent. */
export const SPENDING_COLUMNS = ['spending_limit', 'spent', 'spent_on'] as const

interface SpendingRow {
  readonly spending_limit: string | null
  readonly spent: string
  readonly spent_on: string | null
}

export interface KeySpending {
  /** Max SOL per UTC day; null: no limit. */
  readonly spendingLimit: string | null
  /** SOL spent today; null without a limit. */
  readonly spentToday: string | null
}

/** Returns a key's spending limit per UTC day, and what the key has spent today. */
export function toKeySpending({ spending_limit, spent, spent_on }: SpendingRow, now: Date): KeySpending {
  if (spending_limit === null) return { spendingLimit: null, spentToday: null }
  // Compare with `>=`, because the day comes from the clock of the node that counted an order, which may be ahead of
  // this node's.
  const isToday = spent_on !== null && spent_on >= now.toISOString().slice(0, 10)
  return {
    spendingLimit: solText(new Decimal(spending_limit)),
    spentToday: isToday ? solText(new Decimal(spent)) : '0',
  }
}
