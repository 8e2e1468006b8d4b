import type { OrderEntry } from '@papermoon/engine'

/** An engine for a bot: its orders say what it is, so that events do without another read. */
export function declareOrders(engine: OrderEntry): OrderEntry {
  return {
    submit: (order) => engine.submit({ ...order, isBot: true }),
    dryRun: (order) => engine.dryRun({ ...order, isBot: true }),
    findPending: (userId, requestKey) => engine.findPending(userId, requestKey),
  }
}
