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
import type { Token, Trade } from '../../../lib/api/api.ts'
import type { TradeEvent } from '../../../lib/live/live-events.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'

/**
 * Builds the live event of the player's own trade from its answer. Null if other trades came between, since the pool
 * before the trade is unknown then.
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
