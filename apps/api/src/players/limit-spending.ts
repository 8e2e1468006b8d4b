import type { Order, OrderEntry } from '@papermoon/engine'

/** An engine for an API key with a spending limit: its buys and launches count against it. */
export function limitSpending(engine: OrderEntry, spendingKeyId: number): OrderEntry {
  const count = <O extends Order>(order: O): O =>
    order.kind === 'buy' || order.kind === 'launch' ? { ...order, spendingKeyId } : order
  return {
    submit: (order) => engine.submit(count(order)),
    dryRun: (order) => engine.dryRun(count(order)),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
  }
}
