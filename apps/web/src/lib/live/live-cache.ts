import { type PatchResult, patchChart, patchHolders, patchToken, patchTrades } from '@papermoon/live'
import type { QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import {
  cache,
  type MarkedTrade,
  type MarketEvent,
  type Timeframe,
  type TokenId,
  type Trade,
  trpc,
} from '../api/api.ts'
import { queryClient } from '../api/query-client.ts'
import { toChartInput } from '../market/chart-input.ts'

/** Max number of marked trades on a chart. The server has the same limit. */
const MARKED_MAX = 200
const TIMEFRAMES: readonly Timeframe[] = ['1H', '24H', '7D', 'ALL']

/**
 * Applies a token's events to its cached queries. A query ignores events that it already includes. Queries that cannot
 * be updated with an event are fetched again, once per call.
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

/** Applies all events to a query, and notifies its observers once. Returns whether the query must be fetched again. */
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

/** Fetches the token's queries on the screen again, and removes its other queries from the cache. */
export function refetchToken(id: TokenId): void {
  refetch(tokenKeys(id))
}

function refetch(keys: Iterable<QueryKey>): void {
  for (const queryKey of keys) {
    // For inactive queries, invalidating is not enough, because the next event would make them valid again.
    queryClient.removeQueries({ queryKey, type: 'inactive' })
    // Do not cancel a pending fetch, because no fetch would ever complete under load.
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
 * Returns the highest `seq` that all cached queries of the token include. The token's live feed starts after this
 * `seq`.
 */
export function knownSeq(id: TokenId): number | null {
  const token = cache.tokens.get.getData({ id })
  if (token === undefined) return null
  const charts = TIMEFRAMES.map((timeframe) => cache.tokens.chart.getData(toChartInput(id, timeframe))?.seq)
  const known = [token.seq, ...charts].filter((seq) => seq !== undefined)
  return Math.min(...known)
}

/** Returns the time at which the cached token was last fetched or updated, in ms. */
export function tokenReadAt(id: TokenId): number | undefined {
  return queryClient.getQueryState(tokenKey(trpc.tokens.get, id))?.dataUpdatedAt
}
