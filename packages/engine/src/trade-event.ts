import { computeMarketCap, type Pool, type Price, priceText, realSol, solText, tokensText } from '@papermoon/amm'
import type { Trade, TradeEvent } from './market-events.ts'

/** What a trade left behind. */
export interface AfterTrade {
  readonly pool: Pool
  readonly spotPrice: Price
  /** SOL the trader paid, or was paid before the fee, as text. */
  readonly volume: string
  /** What the trader holds of the token, as text. */
  readonly holding: string
}

/** The event that tells of a trade. */
export function toTradeEvent(trade: Trade, { pool, spotPrice, volume, holding }: AfterTrade): TradeEvent {
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
