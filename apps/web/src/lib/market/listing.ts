import type { Inputs, Token } from '../api/api.ts'
import { compareDecimals } from '../format/compare-decimals.ts'

export type Sort = NonNullable<NonNullable<Inputs['tokens']['list']>['sort']>

export const SEARCH_MAX = 64
/** How long the search field waits after the last key press, in ms. */
export const TYPING_MS = 200

/** The input of `tokens.list` except the cursor. */
export interface Listing {
  readonly search?: string
  readonly sort: Sort
  /** The value `hide` leaves out rugged tokens. Without a value, the listing contains them. */
  readonly rugged?: 'hide'
  readonly limit: number
}

/** Number of tokens per page, which fill whole rows of three or six cards. */
const PAGE = 24

/**
 * Returns the query input for a search, sort order and filter. Fetches and live updates must use the same input,
 * because they share a cache entry.
 */
export function toListing(search: string, sort: Sort, hidesRugged = false): Listing {
  const wanted = search.trim()
  return { ...(wanted !== '' && { search: wanted }), sort, ...(hidesRugged && { rugged: 'hide' }), limit: PAGE }
}

/** Cursor pagination for `tokens.list`. */
export const PAGING = { getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor } as const

/** Max number of pages that are fetched again at once. In a longer listing, only the first pages are fetched again. */
export const REFETCHED_PAGES_MAX = 4

/** Returns whether a cached listing has more pages than are fetched again at once. */
export function isLong({ state }: { readonly state: { readonly data: unknown } }): boolean {
  const data = state.data as { readonly pages: readonly unknown[] } | undefined
  return (data?.pages.length ?? 0) > REFETCHED_PAGES_MAX
}

/** Returns whether trades can change a listing's order. */
export function isLiveSort(sort: Sort): boolean {
  return sort !== 'newest' && sort !== 'oldest'
}

export const comparisons: Record<Sort, (a: Token, b: Token) => number> = {
  newest: (a, b) => byTime(b, a) || b.id - a.id,
  oldest: (a, b) => byTime(a, b) || a.id - b.id,
  'mcap-high': (a, b) => compareDecimals(b.currentPrice, a.currentPrice) || b.id - a.id,
  'mcap-low': (a, b) => compareDecimals(a.currentPrice, b.currentPrice) || a.id - b.id,
  'last-trade': (a, b) => Date.parse(b.lastEventAt) - Date.parse(a.lastEventAt) || b.id - a.id,
}

/** Returns whether a search text occurs in a token's name or symbol, ignoring case. */
export function matchesSearch(token: Pick<Token, 'name' | 'symbol'>, search: string | undefined): boolean {
  const wanted = search?.toLowerCase() ?? ''
  return token.name.toLowerCase().includes(wanted) || token.symbol.toLowerCase().includes(wanted)
}

function byTime(a: Token, b: Token): number {
  if (a.createdAt === b.createdAt) return 0
  return a.createdAt < b.createdAt ? -1 : 1
}

/**
 * Options for queries with 24-hour values. These values change every minute even without trades, so the queries are
 * fetched again once a minute while the page is visible.
 */
export const DAY_FIGURES = { refetchInterval: 60_000, refetchIntervalInBackground: false } as const
