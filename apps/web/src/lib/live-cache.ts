import { getQueryKey } from '@trpc/react-query'
import { cache, type Timeframe, type TokenId, trpc } from './api.ts'
import type { MarketEvent } from './live-events.ts'
import { patchChart, patchHolders, patchToken, patchTokenPage, patchTrades } from './live-patches.ts'
import { queryClient } from './query-client.ts'

const TIMEFRAMES: readonly Timeframe[] = ['1H', '24H', '7D', 'ALL']

/** The one listing that the home page sorts and searches by itself. */
export const LISTING = { sort: 'newest' } as const

/** Applies events to the cached listing of the market. */
export function applyToListing(events: readonly MarketEvent[]): void {
  cache.tokens.list.setData(LISTING, (page) => (page === undefined ? page : patchTokenPage(page, events)))
}

/**
 * Applies a token's events to whatever of it is cached; each part drops what it already knows. What an event cannot
 * tell is fetched again, once however many events ask for it.
 */
export function applyToToken(id: TokenId, events: readonly MarketEvent[]): void {
  for (const event of events) {
    applyToParts(id, event)
    for (const timeframe of TIMEFRAMES) applyToChart(id, timeframe, event)
  }
}

function applyToParts(id: TokenId, event: MarketEvent): void {
  const token = cache.tokens.get.getData({ id })
  if (token !== undefined) {
    const patched = patchToken(token, event)
    cache.tokens.get.setData({ id }, patched.data)
    if (patched.stale) refetchToken(id)
  }
  cache.tokens.trades.setData({ id }, (trades) => (trades === undefined ? trades : patchTrades(trades, event)))
  const holders = cache.tokens.holders.getData({ id })
  if (holders === undefined) return
  const patched = patchHolders(holders, event)
  cache.tokens.holders.setData({ id }, patched.data)
  if (patched.stale) void cache.tokens.holders.invalidate({ id })
}

function applyToChart(id: TokenId, timeframe: Timeframe, event: MarketEvent): void {
  const chart = cache.tokens.chart.getData({ id, timeframe })
  if (chart === undefined) return
  const patched = patchChart(chart, event)
  if (patched.data !== chart) cache.tokens.chart.setData({ id, timeframe }, patched.data)
  if (patched.stale) void cache.tokens.chart.invalidate({ id, timeframe })
}

/** Fetches again what is shown of a token, and marks the rest for when it is shown. */
export function refetchToken(id: TokenId): void {
  void cache.tokens.get.invalidate({ id })
  void cache.tokens.trades.invalidate({ id })
  void cache.tokens.holders.invalidate({ id })
  for (const timeframe of TIMEFRAMES) void cache.tokens.chart.invalidate({ id, timeframe })
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
  get: trpc.tokens.get,
  trades: trpc.tokens.trades,
  holders: trpc.tokens.holders,
  chart: trpc.tokens.chart,
} as const

type QueryPath = keyof typeof pathOf
