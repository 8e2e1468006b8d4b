import type { RugResult, rugInput } from '@papermoon/contract/trading'
import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { placeOrder } from '../../players/place-order.ts'

/**
 * Pays the real SOL of a player's own token to them and closes the token for good. Throws the engine's `DomainError`s:
 * not the creator, already closed, busy, unknown outcome.
 */
export async function rug(app: App, userId: UserId, input: z.output<typeof rugInput>): Promise<RugResult> {
  const { id: tokenId, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'rug', userId, tokenId, requestKey } as const
  const { receipt, marks } = await placeOrder(app.engine, order, { isDryRun: dryRun })
  return { ruggedAmount: receipt.ruggedAmount, balance: receipt.balance, ...marks }
}
