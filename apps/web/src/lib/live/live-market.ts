import { patchMovers, patchTokenPage } from '@papermoon/live'
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, type Token, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import type { Listing } from '../market/listing.ts'
import type { MarketEvent } from './live-events.ts'
import { type ListingPage, patchListing } from './patch-listing.ts'
import { type Named, patchTradeTicker } from './patch-trade-ticker.ts'

/**
 * Applies events to every cached listing, to the movers and to the ticker. Returns the queries that must be refetched.
 */
export function applyToMarket(events: readonly MarketEvent[]): { listing: boolean; tradeTicker: boolean } {
  let isListingStale = false
  for (const query of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.list) })) {
    isListingStale = applyToListing(query.queryKey, events) || isListingStale
  }
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.byIds) })) {
    applyToTokens(queryKey, events)
  }
  const movers = cache.tokens.movers.getData()
  const moved = movers && patchMovers(movers, events).data
  if (moved !== movers) cache.tokens.movers.setData(undefined, moved)
  const tradeTicker = cache.tokens.tape.getData()
  const longer = tradeTicker && patchTradeTicker(tradeTicker, events, findName)
  if (longer !== undefined && longer.data !== tradeTicker) cache.tokens.tape.setData(undefined, longer.data)
  return { listing: isListingStale, tradeTicker: longer?.stale ?? false }
}

/** Applies events to a listing. Returns whether the listing is on the screen and must be refetched. */
function applyToListing(queryKey: QueryKey, events: readonly MarketEvent[]): boolean {
  const { input: listing } = queryKey[1] as { input: Listing }
  const data = queryClient.getQueryData<InfiniteData<ListingPage>>(queryKey)
  if (data === undefined) return false
  const { pages, stale } = patchListing(data.pages, events, listing)
  if (pages !== data.pages) queryClient.setQueryData(queryKey, { ...data, pages })
  return stale && queryClient.getQueryCache().find({ queryKey })?.isActive() === true
}

/** Applies events to a list of fixed tokens. A launch never belongs in a list of fixed tokens. */
function applyToTokens(queryKey: QueryKey, events: readonly MarketEvent[]): void {
  const tokens = queryClient.getQueryData<Token[]>(queryKey)
  if (tokens === undefined) return
  const changes = events.filter(({ type }) => type !== 'token_launched')
  const page = { tokens, nextCursor: null }
  const patched = patchTokenPage(page, changes)
  if (patched !== page) queryClient.setQueryData(queryKey, patched.tokens)
}

function findName(id: number): Named | undefined {
  const entry = cache.tokens.tape.getData()?.find(({ tokenId }) => tokenId === id)
  if (entry !== undefined) return { tokenName: entry.tokenName, tokenSymbol: entry.tokenSymbol, emoji: entry.emoji }
  const movers = cache.tokens.movers.getData()
  const listings = queryClient.getQueriesData<InfiniteData<ListingPage>>({ queryKey: getQueryKey(trpc.tokens.list) })
  const lists = [
    ...(movers === undefined ? [] : [movers.fresh, movers.rising, movers.hot]),
    ...listings.flatMap(([, data]) => data?.pages.map(({ tokens }) => tokens) ?? []),
  ]
  for (const tokens of lists) {
    const token = tokens.find((listed) => listed.id === id)
    if (token !== undefined) return { tokenName: token.name, tokenSymbol: token.symbol, emoji: token.emoji }
  }
  return undefined
}
