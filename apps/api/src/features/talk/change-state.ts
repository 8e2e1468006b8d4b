import type { Tx } from '@papermoon/db'
import { sql } from 'kysely'
import type { App } from '../../context.ts'
import { notifyOfPost } from './notify-of-post.ts'
import { findPost } from './open-topic.ts'
import type { PostRow } from './read-posts.ts'
import { toPlacedPost } from './read-posts.ts'

type ChangedPost = Pick<PostRow, 'id' | 'parent_id'>

/**
 * Shows or hides a post, gives the change a position in the journal, and updates the number of replies of its parent.
 * Deleting a post erases its text, so the post can be shown again only with `text`. Returns the post's previous state.
 */
export async function changeState(
  tx: Tx,
  { id, parent_id }: ChangedPost,
  state: PostRow['state'],
  text?: string,
): Promise<PostRow['state']> {
  const { state: before, position } = await lockState(tx, id)
  if (before === state || (before === 'deleted' && text === undefined)) return before
  const isGone = state === 'deleted'
  await sql`
    update posts set state = ${state},
           text = ${isGone ? sql`''` : text === undefined ? sql`text` : sql`${text}`},
           mentions = ${isGone ? sql`'{}'` : sql`mentions`},
           changed_position = case when position is not null then -id end
     where id = ${id}`.execute(tx)
  const more = Number(state === 'shown') - Number(before === 'shown')
  if (parent_id !== null && more !== 0) await countReply(tx, parent_id, more)
  if (state === 'shown' && position === null) await notifyOfPost(tx, id)
  return before
}

/** Locks a post. Returns the post's state, and its position in the journal if it was shown. */
export async function lockState(tx: Tx, id: number): Promise<Pick<PostRow, 'state' | 'position'>> {
  return await tx
    .selectFrom('posts')
    .select(['state', 'position'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function countReply(tx: Tx, parentId: number, more: number): Promise<void> {
  await sql`update posts set replies = replies + ${more} where id = ${parentId}`.execute(tx)
}

/** Publishes a post's change to this node's listeners. Other nodes find the change in the journal. */
export async function publishPost(app: App, id: number): Promise<PostRow> {
  const row = await findPost(app.platform.db, id)
  if (row === null) throw new Error(`post ${id} is gone`)
  const placed = toPlacedPost(row)
  if (placed !== null) app.live.feed.publish({ after: placed.place - 1, through: placed.place, events: [placed] })
  return row
}
