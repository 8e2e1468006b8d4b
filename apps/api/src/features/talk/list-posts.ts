import { contract } from '@papermoon/contract'
import { type PostId, REACTIONS } from '@papermoon/contract/posts'
import type { PostsPage } from '@papermoon/contract/talk'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import { implement } from '../../trpc.ts'
import { BlockedError } from './errors.ts'
import { hasBlocked, isNotBlocked, openPost, openTopic } from './open-topic.ts'
import { notifyOfReaction, publishPost } from './publish-post.ts'
import { type PostRow, readPosts, toPost } from './read-posts.ts'

/**
 * Lists a topic's posts, newest first, without replies. If a deleted post has replies, an empty post remains in the
 * list.
 */
export const listPosts = implement(contract.talk.list, async ({ ctx: { app, userId: viewer }, input }) => {
  const topic = await openTopic(app, viewer, input)
  const { cursor = null, limit } = input
  const rows = await readPosts(topic.app.platform.db, {
    where: sql`p.topic = ${topic.id} and p.parent_id is null
      and ${cursor === null ? sql`true` : sql`(p.created_at, p.id) < (select created_at, id from posts where id = ${cursor} and topic = ${topic.id})`}
      and (${isReadable(viewer)} or p.replies > 0) and ${isNotBlocked(viewer)}`,
    order: sql`created_at desc, id desc`,
    limit: limit + 1,
    viewer,
  })
  return toPage(rows, limit, viewer)
})

/** Lists the replies to a post, oldest first. */
export const listReplies = implement(contract.talk.thread, async ({ ctx: { app, userId: viewer }, input }) => {
  const { id, cursor = 0, limit } = input
  const { topic } = await openPost(app, viewer, id, true)
  const rows = await readPosts(topic.app.platform.db, {
    where: sql`p.parent_id = ${id} and p.id > ${cursor} and ${isReadable(viewer)} and ${isNotBlocked(viewer)}`,
    order: sql`id`,
    limit: limit + 1,
    viewer,
  })
  return toPage(rows, limit, viewer)
})

/** SQL for whether a viewer can see a post `p`. */
function isReadable(viewer: UserId | null) {
  if (viewer === null) return sql`p.state = 'shown'`
  return sql`(p.state = 'shown' or (p.user_id = ${viewer} and p.state <> 'deleted'))`
}

function toPage(rows: readonly PostRow[], limit: number, viewer: UserId | null): PostsPage {
  const posts = rows.slice(0, limit).map((row) => toPost(row, viewer))
  return { posts, nextCursor: rows.length > limit ? ((posts.at(-1)?.id ?? null) as PostId | null) : null }
}

/** Sets or removes the player's reaction, and publishes the change. Throws `BlockedError` and `PostNotFoundError`. */
export const react = implement(contract.talk.react, async ({ ctx: { app, userId }, input: { id, reaction } }) => {
  const { topic, row } = await openPost(app, userId, id)
  const { db } = topic.app.platform
  if (await hasBlocked(db, userId, [row.user_id])) throw new BlockedError()
  const kind = reaction === null ? null : REACTIONS.indexOf(reaction)
  await db.transaction().execute(async (tx) => {
    // Lock the row before reading the reaction, so that each reaction is counted only once.
    await sql`select from posts where id = ${id} for no key update`.execute(tx)
    const before = await tx
      .deleteFrom('post_reactions')
      .where('post_id', '=', id)
      .where('user_id', '=', userId)
      .returning('kind')
      .executeTakeFirst()
    if (kind !== null) await tx.insertInto('post_reactions').values({ post_id: id, user_id: userId, kind }).execute()
    const changes = REACTIONS.map((_, index) => Number(index === kind) - Number(index === before?.kind))
    await sql`
      update posts set reactions = (select array_agg(old + more order by place)
        from unnest(reactions, ${changes}::int[]) with ordinality as counts (old, more, place)),
             changed_position = case when position is not null then -id end
       where id = ${id}`.execute(tx)
    if (kind !== null && before === undefined) await notifyOfReaction(tx, id, userId)
  })
  return { ...toPost(await publishPost(topic.app, id), userId), reaction }
})
