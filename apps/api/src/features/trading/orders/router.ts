import { router, signedIn } from '../../../trpc.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { listOrdersInput, orderInput, orderOutcome, orderPage } from './schemas.ts'

export const ordersRouter = router({
  list: signedIn
    .input(listOrdersInput)
    .output(orderPage)
    .query(({ ctx, input }) => listOrders(ctx.app, ctx.userId, input)),
  get: signedIn
    .input(orderInput)
    .output(orderOutcome)
    .query(({ ctx, input }) => getOrder(ctx.app, ctx.userId, input.key)),
})
