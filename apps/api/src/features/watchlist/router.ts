import { router, signedIn } from '../../trpc.ts'
import { addStar, getWatchlist, mergeStars, removeStar } from './change-watchlist.ts'
import { mergeInput, starInput, watchlist } from './schemas.ts'

export const watchlistRouter = router({
  get: signedIn.output(watchlist).query(({ ctx }) => getWatchlist(ctx.app, ctx.userId)),
  add: signedIn
    .input(starInput)
    .output(watchlist)
    .mutation(({ ctx, input }) => addStar(ctx.app, ctx.userId, input.id)),
  remove: signedIn
    .input(starInput)
    .output(watchlist)
    .mutation(({ ctx, input }) => removeStar(ctx.app, ctx.userId, input.id)),
  merge: signedIn
    .input(mergeInput)
    .output(watchlist)
    .mutation(({ ctx, input }) => mergeStars(ctx.app, ctx.userId, input.tokenIds)),
})
