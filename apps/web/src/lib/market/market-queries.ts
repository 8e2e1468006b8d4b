import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, client, type Token, type TokenId, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import type { ListingPage } from '../live/patch-listing.ts'
import { withFresh } from '../live/with-fresh.ts'
import { isLong, type Listing, REFETCHED_PAGES_MAX } from './listing.ts'

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
