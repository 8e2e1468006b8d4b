import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'

export const ordersRouter = router({
  list: implement(contract.orders.list, ({ ctx, input }) => listOrders(ctx.app, ctx.userId, input)),
  get: implement(contract.orders.get, ({ ctx, input }) => getOrder(ctx.app, ctx.userId, input.key)),
})
