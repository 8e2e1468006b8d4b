import { Decimal, launchPool, marketCapOf, priceText, type Sol, solText, type Tokens, tokensText } from '@papermoon/amm'
import type { Trade, TradeEvent } from './event.ts'

/** What a trade left behind. */
export interface AfterTrade {
  readonly solReserve: Sol
  readonly tokenReserve: Tokens
  /** What the trader holds of the token. */
  readonly holding: Tokens
}

const { virtualSol } = launchPool()

/** The event that tells of a trade. */
export function eventOfTrade(trade: Trade, { solReserve, tokenReserve, holding }: AfterTrade): TradeEvent {
  return {
    type: 'trade',
    tokenId: trade.tokenId,
    seq: trade.seq,
    trade,
    pool: {
      solReserve: solText(solReserve),
      tokenReserve: tokensText(tokenReserve),
      realSol: solText(solReserve.sub(virtualSol)),
    },
    currentPrice: trade.spotPrice,
    marketCap: priceText(marketCapOf(new Decimal(trade.spotPrice))),
    volume: solText(volumeOf(trade)),
    holding: tokensText(holding),
  }
}

/** SOL the trader paid, or was paid before the fee. */
function volumeOf({ side, solAmount, fee }: Trade): Sol {
  return side === 'buy' ? new Decimal(solAmount) : new Decimal(solAmount).add(fee)
}
