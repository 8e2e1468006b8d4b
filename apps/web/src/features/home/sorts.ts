import type { Token } from '../../lib/api.ts'
import { compareDecimals } from '../../lib/compare-decimals.ts'

/** The ways to sort the listing, as the screen offers them. */
export const SORTS = [
  { value: 'newest', label: 'Newest First' },
  { value: 'oldest', label: 'Oldest First' },
  { value: 'mcap-high', label: 'Market Cap (High)' },
  { value: 'mcap-low', label: 'Market Cap (Low)' },
] as const

export type Sort = (typeof SORTS)[number]['value']

const comparisons: Record<Sort, (a: Token, b: Token) => number> = {
  newest: (a, b) => byTime(b, a) || b.id - a.id,
  oldest: (a, b) => byTime(a, b) || a.id - b.id,
  'mcap-high': (a, b) => compareDecimals(b.marketCap, a.marketCap) || b.id - a.id,
  'mcap-low': (a, b) => compareDecimals(a.marketCap, b.marketCap) || a.id - b.id,
}

/** The tokens whose name or symbol holds `search` in any case, in the order of `sort`. */
export function selectTokens(tokens: readonly Token[], search: string, sort: Sort): Token[] {
  const wanted = search.trim().toLowerCase()
  const matches = (token: Token) =>
    token.name.toLowerCase().includes(wanted) || token.symbol.toLowerCase().includes(wanted)
  const found = wanted === '' ? [...tokens] : tokens.filter(matches)
  return found.sort(comparisons[sort])
}

/** Whether live trades can change the order. */
export function isMoving(sort: Sort): boolean {
  return sort === 'mcap-high' || sort === 'mcap-low'
}

function byTime(a: Token, b: Token): number {
  if (a.createdAt === b.createdAt) return 0
  return a.createdAt < b.createdAt ? -1 : 1
}
