import { contract } from '@papermoon/contract'
import { implement } from '../../../trpc.ts'
import { cancelWaiting } from './cancel.ts'
import { getDepth } from './depth.ts'
import { listWaiting } from './list.ts'
import { placeWaiting } from './place.ts'

const { place, cancel, list, depth } = contract.waitingOrders

/** All procedures except `watch`, which is a stream of events. */
export const waitingOrdersProcedures = {
  place: implement(place, ({ ctx, input }) => placeWaiting(ctx, input)),
  cancel: implement(cancel, ({ ctx, input }) => cancelWaiting(ctx, input)),
  depth: implement(depth, ({ ctx, input }) => getDepth(ctx.app, input.id)),
  list: implement(list, ({ ctx, input }) => listWaiting(ctx.app, ctx.userId, input)),
}
