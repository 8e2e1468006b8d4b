import type { cancelWaitingInput, WaitingOrders } from '@papermoon/contract/waiting-orders'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { type OrderTerms, placeOrder } from '../../../place-order.ts'
import { findTokensOfOrders } from './store.ts'

/** One of the ids belongs to none of the player's orders. */
class NotWaitingError extends defineError('NOT_WAITING', 'You have no such waiting order.') {}

/**
 * Cancels the given orders of a player, or all of the player's waiting orders. If the orders of one token fail,
 * continues with the other tokens. Throws `NotWaitingError`, or the first `DomainError` of the engine.
 */
export async function cancelWaiting(
  ctx: Context & OrderTerms,
  { tokenId, ids }: z.output<typeof cancelWaitingInput>,
): Promise<WaitingOrders> {
  const { userId } = ctx
  const found = await findTokensOfOrders(ctx.app.platform.db, { userId, tokenId, ids })
  if (ids !== undefined && found.length < new Set(ids).size) throw new NotWaitingError()
  const orders = []
  const refusals: unknown[] = []
  // Cancel the orders of one token after those of another, because a player can have only eight running orders.
  for (const [ofToken, own] of Map.groupBy(found, ({ token_id }) => token_id)) {
    const order = { kind: 'cancel', userId, tokenId: ofToken, ids: own.map(({ id }) => id) } as const
    try {
      orders.push(...(await placeOrder(ctx, order, false)).receipt.orders)
    } catch (error) {
      refusals.push(error)
    }
  }
  if (refusals.length > 0) throw refusals[0]
  return { orders }
}
