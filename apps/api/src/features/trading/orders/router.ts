import { router, signedIn } from '../../../trpc.ts'
import { getOrder } from './get-order.ts'
import { listOrders } from './list-orders.ts'
import { listOrdersInput, orderInput, orderOutcome, orderPage } from './schemas.ts'

export const ordersRouter = router({
  list: signedIn
    .meta({ apiKey: 'market' })
    .input(listOrdersInput)
    .output(orderPage)
    .query(({ ctx, input }) => listOrders(ctx.app, ctx.userId, input)),
  get: signedIn
    .meta({ apiKey: 'market' })
    .input(orderInput)
    .output(orderOutcome)
    .query(({ ctx, input }) => getOrder(ctx.app, ctx.userId, input.key)),
})
