import { patchMovers, patchTokenPage } from '@papermoon/live'
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, type MarketEvent, type TapeEntry, type Token, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import type { Listing } from '../market/listing.ts'
import { type ListingPage, patchListing } from './patch-listing.ts'

/**
 * Applies events to every cached listing, to the movers and to the ticker. Returns the queries that must be fetched
 * again.
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

/** Applies events to a listing. Returns whether the listing is on the screen and must be fetched again. */
function applyToListing(queryKey: QueryKey, events: readonly MarketEvent[]): boolean {
  const { input: listing } = queryKey[1] as { input: Listing }
  const data = queryClient.getQueryData<InfiniteData<ListingPage>>(queryKey)
  if (data === undefined) return false
  const { pages, stale } = patchListing(data.pages, events, listing)
  if (pages !== data.pages) queryClient.setQueryData(queryKey, { ...data, pages })
  return stale && queryClient.getQueryCache().find({ queryKey })?.isActive() === true
}

/**
 * Applies events to a list of certain tokens. Launches are ignored, because a new token is never part of such a list.
 */
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

/** Max number of the market's newest trades, which is also the server's limit. */
const ENTRIES_MAX = 20

type Named = Pick<TapeEntry, 'tokenName' | 'tokenSymbol' | 'emoji'>

/**
 * Adds events to the market's newest trades, newest first. Sets `stale` if `findName` does not know a trade's token,
 * because only the server can then name the token.
 */
function patchTradeTicker(
  ticker: TapeEntry[],
  events: readonly MarketEvent[],
  findName: (tokenId: number) => Named | undefined,
): { data: TapeEntry[]; stale: boolean } {
  const known = ticker[0]?.id ?? 0
  const trades = events.flatMap((event) => (event.type === 'trade' && event.trade.id > known ? [event.trade] : []))
  const added: TapeEntry[] = []
  let stale = false
  for (const trade of trades.sort((a, b) => b.id - a.id).slice(0, ENTRIES_MAX)) {
    const named = findName(trade.tokenId)
    if (named === undefined) stale = true
    else if (added.at(-1)?.id !== trade.id) added.push({ ...trade, ...named })
  }
  return { data: added.length === 0 ? ticker : [...added, ...ticker].slice(0, ENTRIES_MAX), stale }
}
