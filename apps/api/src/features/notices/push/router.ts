import { router, signedIn } from '../../../trpc.ts'
import { removed } from '../alerts/schemas.ts'
import { pushState, subscribeInput, unsubscribeInput } from './schemas.ts'
import { deleteDevice } from './store.ts'
import { getPushState, subscribeDevice } from './subscribe.ts'

const OK = { ok: true as const }

export const pushRouter = router({
  state: signedIn
    .meta({ apiKey: 'never' })
    .output(pushState)
    .query(({ ctx }) => getPushState(ctx.app, ctx.userId)),
  subscribe: signedIn
    .input(subscribeInput)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await subscribeDevice(ctx, ctx.userId, input)
      return OK
    }),
  unsubscribe: signedIn
    .meta({ whenSuspended: 'allowed' })
    .input(unsubscribeInput)
    .output(removed)
    .mutation(async ({ ctx, input }) => {
      await deleteDevice(ctx.app.db, ctx.userId, input.endpoint)
      return OK
    }),
})
