import type { BuyResult, buyInput } from '@papermoon/contract/trading'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type OrderTerms, placeOrder } from '../../place-order.ts'

/** Buys tokens for SOL. Throws `DomainError`s of the engine. */
export async function buy(ctx: Context & OrderTerms, input: z.output<typeof buyInput>): Promise<BuyResult> {
  const { tokenId, solAmount: sol, minTokensOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'buy', userId: ctx.userId, tokenId, sol, minTokensOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { tokensOut: trade.tokenAmount, ...answer, ...marks }
}
