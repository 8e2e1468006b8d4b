import {
  computeMarketCap,
  Decimal,
  type Pool,
  priceText,
  quoteBuy,
  quoteSell,
  solText,
  tokensText,
} from '@papermoon/amm'
import { cache, type Token, type TokenId, type Trade } from '../../../lib/api/api.ts'
import { setBalance } from '../../../lib/api/current-user.ts'
import { applyToToken, refetchToken } from '../../../lib/live/live-cache.ts'
import type { TradeEvent } from '../../../lib/live/live-events.ts'
import { isResponseCached, noteCachedResponse } from '../../../lib/live/own-account.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import type { Answer } from './place-order.ts'

/**
 * Writes an order response to the cache: holding, balance, and the token with its chart, trades and holders. After
 * that, the live event of the same trade changes nothing. Refetches the token if other trades came between and the live
 * feed is down.
 */
export function cacheTrade(id: TokenId, { trade, position }: Answer): void {
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

export async function refetchPosition(tokenId: TokenId): Promise<void> {
  await cache.trading.position.fetch({ tokenId }, { staleTime: 0 })
}

/**
 * Builds the live event for the player's own trade from its response. Returns null if other trades came between,
 * because the previous pool is unknown then.
 */
export function toEvent(token: Token, trade: Trade, holding: string): TradeEvent | null {
  if (token.ruggedAt !== null || trade.seq !== token.seq + 1) return null
  const { pool, spotAfter } = quoteTrade(toPool(token), trade)
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

function quoteTrade(pool: Pool, { side, solAmount, tokenAmount }: Trade): { pool: Pool; spotAfter: Decimal } {
  return side === 'buy' ? quoteBuy(pool, new Decimal(solAmount)) : quoteSell(pool, new Decimal(tokenAmount))
}
