import { contract } from '@papermoon/contract'
import { implement } from '../../trpc.ts'
import { getCourt, vote } from './court.ts'
import { listPosts, listReplies, react } from './list-posts.ts'
import { moderatePost } from './moderate-post.ts'
import { deletePost, editPost, writePost } from './write-post.ts'

const { talk } = contract

/** All procedures except `watch`, which follows events as `live` does (`features/live/router.ts`). */
export const talkProcedures = {
  list: implement(talk.list, ({ ctx, input }) => listPosts(ctx.app, ctx.userId, input)),
  thread: implement(talk.thread, ({ ctx, input }) => listReplies(ctx.app, ctx.userId, input)),
  write: implement(talk.write, ({ ctx, input }) => writePost(ctx, input)),
  edit: implement(talk.edit, ({ ctx, input }) => editPost(ctx, input)),
  delete: implement(talk.delete, ({ ctx, input }) => deletePost(ctx, input.id)),
  react: implement(talk.react, ({ ctx, input }) => react(ctx.app, ctx.userId, input)),
  court: implement(talk.court, ({ ctx, input }) => getCourt(ctx.app, ctx.userId, input.id)),
  vote: implement(talk.vote, ({ ctx, input }) => vote(ctx.app, ctx.userId, input)),
  moderate: implement(talk.moderate, ({ ctx, input }) => moderatePost(ctx.app, ctx.userId, input)),
}
