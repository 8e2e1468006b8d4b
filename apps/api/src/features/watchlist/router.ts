import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { addStar, getWatchlist, mergeStars, removeStar } from './change-watchlist.ts'

export const watchlistRouter = router({
  get: implement(contract.watchlist.get, ({ ctx }) => getWatchlist(ctx.app, ctx.userId)),
  add: implement(contract.watchlist.add, ({ ctx, input }) => addStar(ctx.app, ctx.userId, input.id)),
  remove: implement(contract.watchlist.remove, ({ ctx, input }) => removeStar(ctx.app, ctx.userId, input.id)),
  merge: implement(contract.watchlist.merge, ({ ctx, input }) => mergeStars(ctx.app, ctx.userId, input.tokenIds)),
})
