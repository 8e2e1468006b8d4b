import { client, type Position, type TokenId, type Trade } from '../../../lib/api/api.ts'
import type { Keyed } from '../../../lib/api/use-order.ts'
import type { Side } from './preview-trade.ts'

export interface Order {
  readonly side: Side
  readonly tokenId: TokenId
  /** Amount to pay: SOL for a purchase or tokens for a sale, as exact decimal text. */
  readonly amount: string
  /** Min amount to receive, or null for any amount. */
  readonly least: string | null
}

export interface Answer {
  /** The received tokens of a purchase, or the received SOL of a sale. */
  readonly received: string
  readonly trade: Trade
  readonly position: Position
  /** A sale's gain or loss; null for a purchase, or if the cost of the sold tokens is unknown. */
  readonly gain?: SaleGain | null
}

/** The received SOL of a sale minus the average cost of the sold tokens, as exact text. */
export interface SaleGain {
  readonly sol: string
  readonly percent: string
}

export async function placeOrder(order: Keyed<Order>, options: { readonly signal: AbortSignal }): Promise<Answer> {
  const { side, tokenId, amount, requestId } = order
  const least = order.least ?? undefined
  if (side === 'buy') {
    const input = { tokenId, solAmount: amount, minTokensOut: least, requestId }
    const { tokensOut, trade, position } = await client.trading.buy.mutate(input, options)
    return { received: tokensOut, trade, position }
  }
  const input = { tokenId, tokenAmount: amount, minSolOut: least, requestId }
  const { solOut, trade, position } = await client.trading.sell.mutate(input, options)
  return { received: solOut, trade, position }
}
