import type { Inputs, Token } from '../api/api.ts'
import { compareDecimals } from '../format/compare-decimals.ts'

export type Sort = NonNullable<NonNullable<Inputs['tokens']['list']>['sort']>

/** Characters that a search may hold. */
export const SEARCH_MAX = 64
/** Whoever types a search is asked for nothing until they pause this long. */
export const TYPING_MS = 200

/** What a listing asks for, page after page. */
export interface Listing {
  readonly search?: string
  readonly sort: Sort
  readonly limit: number
}

/** Four rows of six cards, on the widest screen eight of three. */
const PAGE = 24

/** The listing of a search and sort, as every place that fetches or patches it has to name it. */
export function listingOf(search: string, sort: Sort): Listing {
  const wanted = search.trim()
  return { ...(wanted !== '' && { search: wanted }), sort, limit: PAGE }
}

/** How the pages of a listing follow one another. */
export const PAGING = { getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor } as const

/** Pages that are read again at once; who has loaded more reads deep in the list, and in peace. */
export const REFETCHED_PAGES_MAX = 4

/** Whether a cached listing has more pages than are read again. */
export function isLong({ state }: { readonly state: { readonly data: unknown } }): boolean {
  const data = state.data as { readonly pages: readonly unknown[] } | undefined
  return (data?.pages.length ?? 0) > REFETCHED_PAGES_MAX
}

/** Whether live trades can change the order. */
export function isMoving(sort: Sort): boolean {
  return sort === 'mcap-high' || sort === 'mcap-low'
}

/** Orders two tokens as the server does. */
export const comparisons: Record<Sort, (a: Token, b: Token) => number> = {
  newest: (a, b) => byTime(b, a) || b.id - a.id,
  oldest: (a, b) => byTime(a, b) || a.id - b.id,
  'mcap-high': (a, b) => compareDecimals(b.currentPrice, a.currentPrice) || b.id - a.id,
  'mcap-low': (a, b) => compareDecimals(a.currentPrice, b.currentPrice) || a.id - b.id,
}

/** Whether a search finds a token: by a part of its name or symbol, in any case. */
export function isFound(token: Pick<Token, 'name' | 'symbol'>, search: string | undefined): boolean {
  const wanted = search?.toLowerCase() ?? ''
  return token.name.toLowerCase().includes(wanted) || token.symbol.toLowerCase().includes(wanted)
}

function byTime(a: Token, b: Token): number {
  if (a.createdAt === b.createdAt) return 0
  return a.createdAt < b.createdAt ? -1 : 1
}
