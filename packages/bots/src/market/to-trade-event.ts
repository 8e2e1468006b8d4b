import type { TradeEvent } from './events.ts'

/** A trade with the pool and the player's holding after the trade, as decimal text. */
export interface TradeTexts {
  readonly trade: {
    readonly tokenId: number
    readonly userId: number
    readonly side: 'buy' | 'sell'
    readonly solAmount: string
    readonly fee: string
    readonly tokenAmount: string
  }
  readonly pool: { readonly solReserve: string; readonly tokenReserve: string }
  readonly holding: string
}

/** Converts a trade to an event for strategies, with numbers and with `atMs` in Unix ms. */
export function toTradeEvent({ trade, pool, holding }: TradeTexts, atMs: number): TradeEvent {
  return {
    type: 'trade',
    atMs,
    tokenId: trade.tokenId,
    userId: trade.userId,
    side: trade.side,
    sol: Number(trade.solAmount),
    fee: Number(trade.fee),
    tokens: Number(trade.tokenAmount),
    solReserve: Number(pool.solReserve),
    tokenReserve: Number(pool.tokenReserve),
    holding: Number(holding),
  }
}
