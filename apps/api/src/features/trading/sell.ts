import type { SellResult, sellInput } from '@papermoon/contract/trading'
import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { placeOrder } from '../../players/place-order.ts'

/** Sells tokens for SOL. Throws the engine's `DomainError`s: holding, slippage, closed, busy, unknown outcome. */
export async function sell(app: App, userId: UserId, input: z.output<typeof sellInput>): Promise<SellResult> {
  const { tokenId, tokenAmount: tokens, minSolOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'sell', userId, tokenId, tokens, minSolOut, requestKey } as const
  const { receipt, marks } = await placeOrder(app.engine, order, { isDryRun: dryRun })
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { solOut: trade.solAmount, ...answer, ...marks }
}
