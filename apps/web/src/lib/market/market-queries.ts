import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, client, type Token, type TokenId, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import type { ListingPage } from '../live/live-market.ts'
import { comparisons, isLong, type Listing, REFETCHED_PAGES_MAX } from './listing.ts'

/** Fetches the visible listing again, unless it is long. */
export async function refetchListing(): Promise<void> {
  await queryClient.refetchQueries({ ...shownListings, predicate: (query) => !isLong(query) })
}

/** Fetches the first pages of invalidated long listings again. The other pages do not change. */
export async function refreshLongListings(): Promise<void> {
  const long = queryClient.getQueryCache().findAll({ ...shownListings, predicate: isLong })
  await Promise.all(long.filter(({ state }) => state.isInvalidated).map(({ queryKey }) => refreshFirstPages(queryKey)))
}

const shownListings = { queryKey: getQueryKey(trpc.tokens.list), type: 'active' } as const

async function refreshFirstPages(queryKey: QueryKey): Promise<void> {
  const { input: listing } = queryKey[1] as { input: Listing }
  const fresh: Token[] = []
  let cursor: string | null = null
  for (let page = 0; page < REFETCHED_PAGES_MAX; page++) {
    const next: ListingPage = await client.tokens.list.query({ ...listing, ...(cursor !== null && { cursor }) })
    fresh.push(...next.tokens)
    cursor = next.nextCursor
    if (cursor === null) break
  }
  const known = (id: TokenId) => cache.tokens.get.getData({ id })
  queryClient.setQueryData<InfiniteData<ListingPage>>(queryKey, (data) => {
    const pages = data && withFresh(data.pages, fresh, { listing, known })
    if (data === undefined || pages !== undefined) return data && pages && { ...data, pages }
    return { pages: [{ tokens: fresh, nextCursor: cursor }], pageParams: data.pageParams.slice(0, 1) }
  })
}

/**
 * Invalidates all market queries and fetches the visible ones again. Fetches only the first pages of a long listing.
 */
export function invalidateMarket(refetchType: 'active' | 'none'): void {
  void queryClient.invalidateQueries({ queryKey: getQueryKey(trpc.tokens.list), refetchType: 'none' })
  for (const part of [trpc.tokens.byIds, trpc.tokens.movers, trpc.tokens.tape]) {
    void queryClient.invalidateQueries({ queryKey: getQueryKey(part), refetchType })
  }
  if (refetchType === 'none') return
  void refetchListing()
  // After a failure, the listing stays invalidated but still receives live events.
  refreshLongListings().catch(() => {})
}

interface Context {
  readonly listing: Listing
  /** Finds a token in the other cached queries. */
  readonly known: (id: TokenId) => Token | undefined
}

/**
 * Merges the first tokens, which were fetched again, into a long listing. The result is sorted, has the same number of
 * pages, and contains the newest version of each token. Returns undefined if the two ranges do not overlap, because too
 * many tokens were launched.
 */
export function withFresh(
  pages: ListingPage[],
  fresh: readonly Token[],
  { listing, known }: Context,
): ListingPage[] | undefined {
  const loaded = pages.flatMap(({ tokens }) => tokens)
  const byId = new Map(loaded.map((token) => [token.id, token]))
  if (!fresh.some(({ id }) => byId.has(id))) return undefined
  for (const token of fresh) byId.set(token.id, pickNewest(byId.get(token.id), token))
  const tokens = [...byId.values()].map((token) => pickNewest(known(token.id), token)).sort(comparisons[listing.sort])
  const last = pages.length - 1
  return pages.map((page, index) => {
    const from = index * listing.limit
    return { ...page, tokens: tokens.slice(from, index === last ? undefined : from + listing.limit) }
  })
}

/**
 * Returns the version of a token that includes more events. If both versions include the same events, returns
 * `fetched`, because its 24-hour values are more recent.
 */
function pickNewest(other: Token | undefined, fetched: Token): Token {
  return other !== undefined && other.seq > fetched.seq ? other : fetched
}
