import {
  type PatchResult,
  patchChart,
  patchHolders,
  patchMovers,
  patchToken,
  patchTokenPage,
  patchTrades,
} from '@papermoon/live'
import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, type MarkedTrade, type Timeframe, type Token, type TokenId, type Trade, trpc } from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import { toChartInput } from '../market/chart-input.ts'
import type { Listing } from '../market/listing.ts'
import type { MarketEvent } from './live-events.ts'
import { type ListingPage, patchListing } from './patch-listing.ts'
import { type Named, patchTradeTicker } from './patch-trade-ticker.ts'

/** Max number of marked trades on a chart. The server returns the same number. */
const MARKED_MAX = 200
const TIMEFRAMES: readonly Timeframe[] = ['1H', '24H', '7D', 'ALL']

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

/** Applies events to a list of fixed tokens. A launch never belongs in such a list. */
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

/**
 * Applies a token's events to its cached queries. A query ignores events that it already includes. Queries that an
 * event cannot update are refetched, once per call.
 */
export function applyToToken(id: TokenId, events: readonly MarketEvent[]): void {
  const isTokenStale = applyAll(events, tokenKey(trpc.tokens.get, id), patchToken)
  applyAll(events, tokenKey(trpc.tokens.trades, id), patchList)
  applyAll(events, tokenKey(trpc.tokens.markedTrades, id), createMarkedPatch(id))
  const stale = TIMEFRAMES.map((timeframe) => chartKey(id, timeframe)).filter((key) =>
    applyAll(events, key, patchChart),
  )
  const holders = tokenKey(trpc.tokens.holders, id)
  if (applyAll(events, holders, patchHolders)) stale.push(holders)
  refetch(isTokenStale ? tokenKeys(id) : stale)
}

/** Applies all events to a query and notifies its observers once. Returns whether the query must be refetched. */
function applyAll<T>(
  events: readonly MarketEvent[],
  queryKey: QueryKey,
  patch: (data: T, event: MarketEvent) => PatchResult<T>,
): boolean {
  const known = queryClient.getQueryData<T>(queryKey)
  if (known === undefined) return false
  let after: PatchResult<T> = { data: known, stale: false }
  for (const event of events) {
    const { data, stale } = patch(after.data, event)
    after = { data, stale: stale || after.stale }
  }
  if (after.data !== known) queryClient.setQueryData(queryKey, after.data)
  return after.stale
}

const patchList = (trades: readonly Trade[], event: MarketEvent): PatchResult<readonly Trade[]> => ({
  data: patchTrades(trades, event),
  stale: false,
})

/** Creates an update that adds new trades by the creator and the player to the marked trades. */
function createMarkedPatch(id: TokenId): (marked: MarkedTrade[], event: MarketEvent) => PatchResult<MarkedTrade[]> {
  const who = [cache.auth.me.getData()?.id, cache.tokens.get.getData({ id })?.creator.id]
  return (marked, event) => {
    const isNew = event.type === 'trade' && event.seq > (marked[0]?.seq ?? 0) && who.includes(event.trade.userId)
    return { data: isNew ? [event.trade, ...marked].slice(0, MARKED_MAX) : marked, stale: false }
  }
}

/** Refetches the token's queries that are on the screen, and removes its other queries from the cache. */
export function refetchToken(id: TokenId): void {
  refetch(tokenKeys(id))
}

function refetch(keys: Iterable<QueryKey>): void {
  for (const queryKey of keys) {
    // Invalidating does not suffice for inactive queries, because the next event would make them valid again.
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    // Do not cancel a pending fetch, because under load no fetch would ever complete.
    void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
  }
}

function tokenKeys(id: TokenId): QueryKey[] {
  const { get, trades, markedTrades, holders } = trpc.tokens
  return [
    ...[get, trades, markedTrades, holders].map((procedure) => tokenKey(procedure, id)),
    ...TIMEFRAMES.map((timeframe) => chartKey(id, timeframe)),
  ]
}

function tokenKey(procedure: Parameters<typeof getQueryKey>[0], id: TokenId): QueryKey {
  return getQueryKey(procedure as typeof trpc.tokens.get, { id }, 'query')
}

function chartKey(id: TokenId, timeframe: Timeframe): QueryKey {
  return getQueryKey(trpc.tokens.chart, toChartInput(id, timeframe), 'query')
}

/**
 * Returns the highest `seq` that every cached query for the token includes. The live feed of the token starts after
 * this number.
 */
export function knownSeq(id: TokenId): number | null {
  const token = cache.tokens.get.getData({ id })
  if (token === undefined) return null
  const charts = TIMEFRAMES.map((timeframe) => cache.tokens.chart.getData(toChartInput(id, timeframe))?.seq)
  const known = [token.seq, ...charts].filter((seq) => seq !== undefined)
  return Math.min(...known)
}

/** Returns when the cached token was last fetched or updated, in ms. */
export function tokenReadAt(id: TokenId): number | undefined {
  return queryClient.getQueryState(tokenKey(trpc.tokens.get, id))?.dataUpdatedAt
}
