import type { RugResult, rugInput } from '@papermoon/contract/trading'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type OrderTerms, placeOrder } from '../../place-order.ts'

/**
 * Pays the real SOL of a player's own token to the player, and closes the token for good. Throws `DomainError`s of the
 * engine.
 */
export async function rug(ctx: Context & OrderTerms, input: z.output<typeof rugInput>): Promise<RugResult> {
  const { id: tokenId, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'rug', userId: ctx.userId, tokenId, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { ruggedAmount: receipt.ruggedAmount, balance: receipt.balance, ...marks }
}
