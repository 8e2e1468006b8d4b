import type { ListWaitingInput, WaitingOrderView } from '@papermoon/contract/waiting-orders'
import type { UserId } from '@papermoon/engine'
import type { App } from '../../../context.ts'
import { findWaitingOrders } from './store.ts'

/** Lists a player's waiting or ended orders, newest first. */
export async function listWaiting(
  app: App,
  userId: UserId,
  { tokenId, state, limit, cursor }: ListWaitingInput,
): Promise<{ orders: WaitingOrderView[]; nextCursor: number | null }> {
  // Read one extra row, which shows whether there is a next page.
  const found = await findWaitingOrders(app.platform.db, { userId, tokenId, state, before: cursor, limit: limit + 1 })
  const orders = found.slice(0, limit)
  return { orders, nextCursor: found.length > limit ? (orders.at(-1)?.id ?? null) : null }
}
