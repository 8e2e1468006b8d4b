import { contract } from '@papermoon/contract'
import { implement, router } from '../../../trpc.ts'
import { deleteDevice } from './store.ts'
import { getPushState, subscribeDevice } from './subscribe.ts'

const OK = { ok: true as const }

export const pushRouter = router({
  state: implement(contract.push.state, ({ ctx }) => getPushState(ctx.app, ctx.userId)),
  subscribe: implement(contract.push.subscribe, async ({ ctx, input }) => {
    await subscribeDevice(ctx, ctx.userId, input)
    return OK
  }),
  unsubscribe: implement(contract.push.unsubscribe, async ({ ctx, input }) => {
    await deleteDevice(ctx.app.platform.db, ctx.userId, input.endpoint)
    return OK
  }),
})
