import type { SealResult, sealInput } from '@papermoon/contract/trading'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type OrderTerms, placeOrder } from '../../place-order.ts'

/** Seals a player's own token, or extends its seal. Throws `DomainError`s of the engine. */
export async function seal(ctx: Context & OrderTerms, input: z.output<typeof sealInput>): Promise<SealResult> {
  const { id: tokenId, term, bag, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'seal', userId: ctx.userId, tokenId, term, bag, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { tokenId, seal: receipt.seal, ...marks }
}
