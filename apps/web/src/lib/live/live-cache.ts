import {
  computeMarketCap,
  Decimal,
  priceText,
  quoteBuy,
  quoteSell,
  readPool,
  SUPPLY,
  solText,
  tokensText,
} from '@papermoon/amm'
import { type PatchResult, patchChart, patchHolders, patchToken, patchTrades } from '@papermoon/live'
import type { QueryKey } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import {
  type Chart,
  cache,
  type MarkedTrade,
  type MarketEvent,
  type Position,
  type Token,
  type TokenId,
  type Trade,
  type TradeEvent,
  trpc,
} from '../api/api.ts'
import { isResponseCached, noteCachedResponse, setBalance } from '../api/current-user.ts'
import { queryClient } from '../api/query-client.ts'
import { currentConnection } from './socket.ts'

/** Max number of marked trades on a chart. The server has the same limit. */
const MARKED_MAX = 200

/**
 * Applies a token's events to its cached queries. A query ignores events that it already includes. Queries that cannot
 * be updated with an event are fetched again, once per call.
 */
export function applyToToken(id: TokenId, events: readonly MarketEvent[]): void {
  const isTokenStale = applyAll(events, tokenKey(trpc.tokens.get, id), patchToken)
  applyAll(events, tokenKey(trpc.tokens.trades, id), patchList)
  applyAll(events, tokenKey(trpc.tokens.markedTrades, id), createMarkedPatch(id))
  const stale = chartKeys(id).filter((key) => applyAll(events, key, patchChart))
  const holders = tokenKey(trpc.tokens.holders, id)
  if (applyAll(events, holders, patchHolders)) stale.push(holders)
  for (const event of events) if (event.type === 'trade') patchShare(event)
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

/** Returns the key under which the page stores a player's share of a token's supply, in percent. */
export function shareKey(tokenId: number, userId: number): QueryKey {
  return ['share', tokenId, userId]
}

/** Updates a player's share, if the page shows it. */
function patchShare({ tokenId, trade: { userId }, holding }: TradeEvent): void {
  queryClient.setQueryData(shareKey(tokenId, userId), (shown?: string | null) =>
    shown === undefined ? shown : toShare(holding),
  )
}

/** Returns a holding as a percentage of the supply, truncated to two decimals, as the server does. */
function toShare(holding: string): string {
  return new Decimal(holding).div(SUPPLY).mul(100).toDecimalPlaces(2, Decimal.ROUND_DOWN).toString()
}

/** Creates an update that adds new trades by the creator and the player to the marked trades. */
function createMarkedPatch(id: TokenId): (marked: MarkedTrade[], event: MarketEvent) => PatchResult<MarkedTrade[]> {
  const who = [cache.auth.me.getData()?.id, cache.tokens.get.getData({ id })?.creator.id]
  return (marked, event) => {
    const isNew = event.type === 'trade' && event.seq > (marked[0]?.seq ?? 0) && who.includes(event.trade.userId)
    return { data: isNew ? [event.trade, ...marked].slice(0, MARKED_MAX) : marked, stale: false }
  }
}

interface ExecutedTrade {
  readonly trade: Trade
  readonly position: Position
}

/**
 * Writes an order response to the cache: holding, balance, and the token with its chart, trades and holders. The later
 * live event of the same trade then changes nothing. If other trades came between and the live feed is down, fetches
 * the token again.
 */
export function cacheTrade(id: TokenId, { trade, position }: ExecutedTrade): void {
  if (isResponseCached(id, trade.seq)) return
  noteCachedResponse(id, trade.seq)
  // Keep `hiddenToken`, because only the query's own response contains it.
  cache.trading.position.setData({ tokenId: id }, (before) => ({ ...before, ...position }))
  setBalance(id, position.balance)
  const token = cache.tokens.get.getData({ id })
  if (token === undefined || trade.seq <= token.seq) return
  const event = toEvent(token, trade, position.amount)
  if (event !== null) applyToToken(id, [event])
  else if (currentConnection().state !== 'live') refetchToken(id)
}

/**
 * Builds the live event for the player's own trade from its response. Returns null if other trades came between,
 * because the pool before the trade is then unknown.
 */
export function toEvent(token: Token, trade: Trade, holding: string): TradeEvent | null {
  if (token.ruggedAt !== null || trade.seq !== token.seq + 1) return null
  const before = readPool(token.pool)
  const { pool, spotAfter } =
    trade.side === 'buy'
      ? quoteBuy(before, new Decimal(trade.solAmount))
      : quoteSell(before, new Decimal(trade.tokenAmount))
  if (!spotAfter.eq(trade.spotPrice)) return null
  return {
    type: 'trade',
    tokenId: trade.tokenId,
    seq: trade.seq,
    trade,
    pool: {
      solReserve: solText(pool.sol),
      tokenReserve: tokensText(pool.tokens),
      realSol: solText(pool.sol.sub(pool.virtualSol)),
    },
    currentPrice: trade.spotPrice,
    marketCap: priceText(computeMarketCap(spotAfter)),
    volume: solText(trade.side === 'buy' ? new Decimal(trade.solAmount) : new Decimal(trade.solAmount).add(trade.fee)),
    holding,
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
  return [...[get, trades, markedTrades, holders].map((procedure) => tokenKey(procedure, id)), ...chartKeys(id)]
}

function tokenKey(procedure: Parameters<typeof getQueryKey>[0], id: TokenId): QueryKey {
  return getQueryKey(procedure as typeof trpc.tokens.get, { id }, 'query')
}

/** Returns the keys of the token's cached charts, one for each timeframe that the visitor has chosen. */
function chartKeys(id: TokenId): QueryKey[] {
  const charts = queryClient.getQueryCache().findAll({ queryKey: getQueryKey(trpc.tokens.chart) })
  return charts.map(({ queryKey }) => queryKey).filter((key) => (key[1] as { input: { id: TokenId } }).input.id === id)
}

/**
 * Returns the highest `seq` that all cached queries of the token include. The token's live feed starts after this
 * `seq`.
 */
export function knownSeq(id: TokenId): number | null {
  const token = cache.tokens.get.getData({ id })
  if (token === undefined) return null
  const charts = chartKeys(id).map((key) => queryClient.getQueryData<Chart>(key)?.seq)
  const known = [token.seq, ...charts].filter((seq) => seq !== undefined)
  return Math.min(...known)
}

/** Returns the time at which the cached token was last fetched or updated, in ms. */
export function tokenReadAt(id: TokenId): number | undefined {
  return queryClient.getQueryState(tokenKey(trpc.tokens.get, id))?.dataUpdatedAt
}
