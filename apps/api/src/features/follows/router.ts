import { contract } from '@papermoon/contract'
import { implement, router } from '../../trpc.ts'
import { readFeed } from './feed.ts'
import { block, follow, getFollowers, getFollowing, setHidesFollows, unblock, unfollow } from './follow.ts'

const { follows } = contract

export const followsRouter = router({
  list: implement(follows.list, ({ ctx }) => getFollowing(ctx.app, ctx.userId)),
  follow: implement(follows.follow, ({ ctx, input }) => follow(ctx.app, ctx.userId, input)),
  unfollow: implement(follows.unfollow, ({ ctx, input }) => unfollow(ctx.app, ctx.userId, input)),
  block: implement(follows.block, ({ ctx, input }) => block(ctx.app, ctx.userId, input.userId)),
  unblock: implement(follows.unblock, ({ ctx, input }) => unblock(ctx.app, ctx.userId, input.userId)),
  setHidden: implement(follows.setHidden, ({ ctx, input }) => setHidesFollows(ctx.app, ctx.userId, input.hidesFollows)),
  of: implement(follows.of, ({ ctx, input }) => getFollowers(ctx, ctx.userId, input.userId)),
  feed: implement(follows.feed, ({ ctx, input }) =>
    readFeed(ctx, ctx.userId, { ...input, before: input.cursor ?? input.before }),
  ),
})
