import type { SellResult, sellInput } from '@papermoon/contract/trading'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type OrderTerms, placeOrder } from '../../place-order.ts'

/** Sells tokens for SOL. Throws `DomainError`s of the engine. */
export async function sell(ctx: Context & OrderTerms, input: z.output<typeof sellInput>): Promise<SellResult> {
  const { tokenId, tokenAmount: tokens, minSolOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'sell', userId: ctx.userId, tokenId, tokens, minSolOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { solOut: trade.solAmount, ...answer, ...marks }
}
