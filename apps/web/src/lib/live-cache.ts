import { patchChart, patchHolders, patchMovers, patchToken, patchTrades } from '@papermoon/live'
import { hashKey, type InfiniteData, type QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { cache, type Timeframe, type TokenId, trpc } from './api.ts'
import type { Listing } from './listing.ts'
import type { MarketEvent } from './live-events.ts'
import { type ListingPage, patchListing } from './patch-listing.ts'
import { type Named, patchTape } from './patch-tape.ts'
import { queryClient } from './query-client.ts'

const TIMEFRAMES: readonly Timeframe[] = ['1H', '24H', '7D', 'ALL']

/**
 * Applies events to every cached listing, to the columns and to the tape. Returns which of them the events do not tell
 * enough of.
 */
export function applyToMarket(events: readonly MarketEvent[]): { listing: boolean; tape: boolean } {
  let isListingStale = false
  for (const query of queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.list) })) {
    isListingStale = applyToListing(query.queryKey, events) || isListingStale
  }
  const movers = cache.tokens.movers.getData()
  const moved = movers && patchMovers(movers, events).data
  if (moved !== movers) cache.tokens.movers.setData(undefined, moved)
  const tape = cache.tokens.tape.getData()
  const longer = tape && patchTape(tape, events, nameOf)
  if (longer !== undefined && longer.data !== tape) cache.tokens.tape.setData(undefined, longer.data)
  return { listing: isListingStale, tape: longer?.stale ?? false }
}

/** Returns whether the listing is on the screen and must be fetched. */
function applyToListing(queryKey: QueryKey, events: readonly MarketEvent[]): boolean {
  const { input: listing } = queryKey[1] as { input: Listing }
  const data = queryClient.getQueryData<InfiniteData<ListingPage>>(queryKey)
  if (data === undefined) return false
  const { pages, stale } = patchListing(data.pages, events, listing)
  if (pages !== data.pages) queryClient.setQueryData(queryKey, { ...data, pages })
  return stale && queryClient.getQueryCache().find({ queryKey })?.isActive() === true
}

/** What any cached part of the market calls a token. */
function nameOf(id: number): Named | undefined {
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
 * Applies a token's events to whatever of it is cached; each part drops what it already knows. What an event cannot
 * tell is fetched again, once however many events ask for it.
 */
export function applyToToken(id: TokenId, events: readonly MarketEvent[]): void {
  const stale = new Map<string, QueryKey>()
  const mark = (...keys: QueryKey[]) => {
    for (const key of keys) stale.set(hashKey(key), key)
  }
  for (const event of events) {
    if (applyToGet(id, event)) mark(...keysOf(id))
    cache.tokens.trades.setData({ id }, (trades) => (trades === undefined ? trades : patchTrades(trades, event)))
    if (applyToHolders(id, event)) mark(holdersKey(id))
    for (const timeframe of TIMEFRAMES) {
      if (applyToChart(id, timeframe, event)) mark(chartKey(id, timeframe))
    }
  }
  refetch(stale.values())
}

/** Each of these patches one part and returns whether it must be fetched. */
function applyToGet(id: TokenId, event: MarketEvent): boolean {
  const token = cache.tokens.get.getData({ id })
  if (token === undefined) return false
  const { data, stale } = patchToken(token, event)
  if (data !== token) cache.tokens.get.setData({ id }, data)
  return stale
}

function applyToHolders(id: TokenId, event: MarketEvent): boolean {
  const holders = cache.tokens.holders.getData({ id })
  if (holders === undefined) return false
  const { data, stale } = patchHolders(holders, event)
  if (data !== holders) cache.tokens.holders.setData({ id }, data)
  return stale
}

function applyToChart(id: TokenId, timeframe: Timeframe, event: MarketEvent): boolean {
  const chart = cache.tokens.chart.getData({ id, timeframe })
  if (chart === undefined) return false
  const { data, stale } = patchChart(chart, event)
  if (data !== chart) cache.tokens.chart.setData({ id, timeframe }, data)
  return stale
}

/** Fetches again what is shown of a token, and forgets the rest of it until it is shown. */
export function refetchToken(id: TokenId): void {
  refetch(keysOf(id))
}

function refetch(keys: Iterable<QueryKey>): void {
  for (const queryKey of keys) {
    // A mark would not do for what is not shown: the next patch would wipe it off.
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    // An answer that is on its way is waited for: under load, cancelling it would mean that none ever comes.
    void queryClient.invalidateQueries({ queryKey }, { cancelRefetch: false })
  }
}

function keysOf(id: TokenId): QueryKey[] {
  const input = { id }
  const plain = [trpc.tokens.get, trpc.tokens.trades].map((procedure) => getQueryKey(procedure, input, 'query'))
  return [...plain, holdersKey(id), ...TIMEFRAMES.map((timeframe) => chartKey(id, timeframe))]
}

function holdersKey(id: TokenId): QueryKey {
  return getQueryKey(trpc.tokens.holders, { id }, 'query')
}

function chartKey(id: TokenId, timeframe: Timeframe): QueryKey {
  return getQueryKey(trpc.tokens.chart, { id, timeframe }, 'query')
}

/** The number of the last event that every cached part of a token already knows: where its feed has to begin. */
export function knownSeq(id: TokenId): number | null {
  const token = cache.tokens.get.getData({ id })
  if (token === undefined) return null
  const charts = TIMEFRAMES.map((timeframe) => cache.tokens.chart.getData({ id, timeframe })?.seq)
  const known = [token.seq, ...charts].filter((seq) => seq !== undefined)
  return Math.min(...known)
}

/** Calls `onFetched` whenever an answer of the server (not a patch) replaces one of the queries under `paths`. */
export function onServerAnswer(paths: readonly QueryPath[], onFetched: () => void): () => void {
  const prefixes = new Set(paths.map((path) => JSON.stringify(getQueryKey(pathOf[path])[0])))
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.action.manual) return
    if (prefixes.has(JSON.stringify(event.query.queryKey[0]))) onFetched()
  })
}

const pathOf = {
  list: trpc.tokens.list,
  movers: trpc.tokens.movers,
  tape: trpc.tokens.tape,
  get: trpc.tokens.get,
  trades: trpc.tokens.trades,
  holders: trpc.tokens.holders,
  chart: trpc.tokens.chart,
} as const

type QueryPath = keyof typeof pathOf
