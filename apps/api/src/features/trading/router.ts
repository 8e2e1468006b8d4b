import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { getOrder } from './orders/get-order.ts'
import { listOrders } from './orders/list-orders.ts'
import { getPosition } from './position.ts'
import { getQuote } from './quotes/get-quote.ts'
import { buy, rug, seal, sell } from './trade.ts'
import { getDepth } from './waiting/depth.ts'
import { cancelWaiting, listWaiting, placeWaiting } from './waiting/waiting-orders.ts'

const { place, cancel, list, depth } = contract.waitingOrders

/** All procedures except `watch`. `watch` is a stream of events. */
export const waitingOrdersProcedures = {
  place: implement(place, ({ ctx, input }) => placeWaiting(ctx, input)),
  cancel: implement(cancel, ({ ctx, input }) => cancelWaiting(ctx, input)),
  depth: implement(depth, ({ ctx, input }) => getDepth(ctx.app, input.id)),
  list: implement(list, ({ ctx, input }) => listWaiting(ctx.app, ctx.userId, input)),
}

export const ordersRouter = router({
  list: implement(contract.orders.list, ({ ctx, input }) => listOrders(ctx.app, ctx.userId, input)),
  get: implement(contract.orders.get, ({ ctx, input }) => getOrder(ctx.app, ctx.userId, input.key)),
})

export const tradingRouter = router({
  buy,
  sell,
  rug,
  seal,
  quote: implement(contract.trading.quote, ({ ctx, input }) => getQuote(ctx.app, ctx.userId, input)),
  position: implement(contract.trading.position, ({ ctx, input }) => getPosition(ctx.app, ctx.userId, input.tokenId)),
})
