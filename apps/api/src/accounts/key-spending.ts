import { Decimal, solText } from '@papermoon/amm'

/** Columns of `api_keys` for the limit of an API key and what it has spent. */
export const SPENDING_COLUMNS = ['spending_limit', 'spent', 'spent_on'] as const

interface SpendingRow {
  readonly spending_limit: string | null
  readonly spent: string
  readonly spent_on: string | null
}

export interface KeySpending {
  /** SOL a UTC day; null: no limit. */
  readonly spendingLimit: string | null
  /** Null without a limit. */
  readonly spentToday: string | null
}

/** Spending limit of a key for a UTC day, and what it has spent today. */
export function toKeySpending({ spending_limit, spent, spent_on }: SpendingRow, now: Date): KeySpending {
  if (spending_limit === null) return { spendingLimit: null, spentToday: null }
  // A day begins by the clock of the node that counted an order, which may be ahead of this one.
  const isToday = spent_on !== null && spent_on >= now.toISOString().slice(0, 10)
  return {
    spendingLimit: solText(new Decimal(spending_limit)),
    spentToday: isToday ? solText(new Decimal(spent)) : '0',
  }
}
