import { computeMarketCap, type Pool, type Price, priceText, realSol, solText, tokensText } from '@papermoon/amm'
import type { Trade, TradeEvent } from '@papermoon/contract/market-events'

export interface TradeResult {
  readonly pool: Pool
  readonly spotPrice: Price
  /** SOL that the trader paid, or received before the fee, as text. */
  readonly volume: string
  /** Number of tokens that the trader holds, as text. */
  readonly holding: string
}

export function toTradeEvent(trade: Trade, { pool, spotPrice, volume, holding }: TradeResult): TradeEvent {
  return {
    type: 'trade',
    tokenId: trade.tokenId,
    seq: trade.seq,
    trade,
    pool: { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: solText(realSol(pool)) },
    currentPrice: trade.spotPrice,
    marketCap: priceText(computeMarketCap(spotPrice)),
    volume,
    holding,
  }
}
