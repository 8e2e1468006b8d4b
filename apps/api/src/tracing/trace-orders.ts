import type { OrderEntry, OrderTrace } from '@papermoon/engine'

/** An engine for a sampled call: its orders are followed to the end of their delivery. */
export function traceOrders(engine: OrderEntry, trace: OrderTrace): OrderEntry {
  return {
    submit: (order) => engine.submit({ ...order, trace }),
    dryRun: (order) => engine.dryRun(order),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
  }
}
