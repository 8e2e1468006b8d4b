import type { cancelWaitingInput, WaitingOrders } from '@papermoon/contract/waiting-orders'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { type OrderTerms, placeOrder } from '../../../place-order.ts'
import { findTokensOfOrders } from './store.ts'

/** One of the ids is of no order of the player. */
class NotWaitingError extends defineError('NOT_WAITING', 'You have no such waiting order.') {}

/**
 * Ends the named orders of a player, or all that wait, also those of tokens after one that refuses. Throws `NotWaitingError` and
 * the engine's first `DomainError`.
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
  // One token after another: a player may have eight orders under way.
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
