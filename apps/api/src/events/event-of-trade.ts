import { Decimal, launchPool, marketCapOf, priceText, solText } from '@papermoon/amm'
import type { Trade, TradeEvent } from './event.ts'

/** What a trade left behind: figures as they are on the wire. */
export interface AfterTrade {
  readonly solReserve: string
  readonly tokenReserve: string
  /** What the trader holds of the token. */
  readonly holding: string
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
      solReserve,
      tokenReserve,
      realSol: solText(new Decimal(solReserve).sub(virtualSol)),
    },
    currentPrice: trade.spotPrice,
    marketCap: priceText(marketCapOf(new Decimal(trade.spotPrice))),
    volume: volumeOf(trade),
    holding,
  }
}

/** SOL the trader paid, or was paid before the fee. */
function volumeOf({ side, solAmount, fee }: Trade): string {
  return side === 'buy' ? solAmount : solText(new Decimal(solAmount).add(fee))
}
