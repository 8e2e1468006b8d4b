import type { Inputs, Token } from '../api/api.ts'
import { compareDecimals } from '../format/compare-decimals.ts'

export type Sort = NonNullable<NonNullable<Inputs['tokens']['list']>['sort']>

export const SEARCH_MAX = 64
/** Debounce of the search field, ms. */
export const TYPING_MS = 200

/** The input of `tokens.list`, except the cursor. */
export interface Listing {
  readonly search?: string
  readonly sort: Sort
  /** Left out where rugged tokens are shown. */
  readonly rugged?: 'hide'
  readonly limit: number
}

/** Page size: four rows of six cards, or eight rows of three on the widest screens. */
const PAGE = 24

/** The query input for a search, sort and filter. Fetching and patching must use the same one to share a cache entry. */
export function toListing(search: string, sort: Sort, hidesRugged = false): Listing {
  const wanted = search.trim()
  return { ...(wanted !== '' && { search: wanted }), sort, ...(hidesRugged && { rugged: 'hide' }), limit: PAGE }
}

/** Cursor pagination of `tokens.list`. */
export const PAGING = { getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor } as const

/** Max pages refetched at once. Longer listings are refreshed from the top only. */
export const REFETCHED_PAGES_MAX = 4

/** Whether a cached listing has more pages than are refetched. */
export function isLong({ state }: { readonly state: { readonly data: unknown } }): boolean {
  const data = state.data as { readonly pages: readonly unknown[] } | undefined
  return (data?.pages.length ?? 0) > REFETCHED_PAGES_MAX
}

/** Whether trades can change the order. */
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

/** Whether a search matches a token: a case-insensitive part of its name or symbol. */
export function matchesSearch(token: Pick<Token, 'name' | 'symbol'>, search: string | undefined): boolean {
  const wanted = search?.toLowerCase() ?? ''
  return token.name.toLowerCase().includes(wanted) || token.symbol.toLowerCase().includes(wanted)
}

function byTime(a: Token, b: Token): number {
  if (a.createdAt === b.createdAt) return 0
  return a.createdAt < b.createdAt ? -1 : 1
}

/**
 * Options for queries with 24-hour figures. These change every minute without trades, and a trade's change is relative
 * to the price 24 hours ago, so refetch once a minute while the page is visible.
 */
export const DAY_FIGURES = { refetchInterval: 60_000, refetchIntervalInBackground: false } as const
