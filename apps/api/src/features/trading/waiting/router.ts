import { contract } from '@papermoon/contract'
import { implement } from '../../../trpc.ts'
import { cancelWaiting } from './cancel.ts'
import { listWaiting } from './list.ts'
import { placeWaiting } from './place.ts'

const { place, cancel, list } = contract.waitingOrders

/** Beside `watch`, which is a stream of events. */
export const waitingOrdersProcedures = {
  place: implement(place, ({ ctx, input }) => placeWaiting(ctx, input)),
  cancel: implement(cancel, ({ ctx, input }) => cancelWaiting(ctx, input)),
  list: implement(list, ({ ctx, input }) => listWaiting(ctx.app, ctx.userId, input)),
}
