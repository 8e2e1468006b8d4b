import type { NoticeKind, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { lockPosition, mayBeNotified, notifyPlayers } from '../notices/public.ts'
import { findPost, type PostRow, toPlacedPost } from './read-posts.ts'

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

/**
 * Notifies players about a post, in the transaction that shows it: mentioned players, the writer of the parent post,
 * and a token's creator about the first post from someone else. Posts of house bots do not count as first posts. Each
 * player gets at most one notice. After an edit, only players whom the earlier text (`before`) did not mention are
 * notified.
 */
export async function notifyOfPost(tx: Tx, id: number, before?: readonly number[]): Promise<void> {
  await notify(
    tx,
    sql`select p.id, p.topic, p.user_id as actor_id, concerned.* from posts p
      join users writer on writer.id = p.user_id left join posts parent on parent.id = p.parent_id
      left join tokens t on t.id = p.topic
      cross join lateral (
        select 1 as rank, 'mention' as kind, format('mention %s %s', p.id, m.user_id) as key, m.user_id
          from unnest(p.mentions) as m (user_id) where m.user_id <> all(${[...(before ?? [])]}::int[])
        union all select 2, 'reply', format('reply %s', parent.id), parent.user_id where ${before === undefined}
        union all select 3, 'post', format('post %s', p.topic), t.creator_id
         where ${before === undefined} and case
           when t.creator_id <> p.user_id and p.parent_id is null and writer.kind <> 'house' then
           not exists (select from posts earlier join users u on u.id = earlier.user_id
             where earlier.topic = p.topic and earlier.parent_id is null and u.kind <> 'house'
               and earlier.user_id <> t.creator_id and earlier.id <> p.id and earlier.position is not null) end
      ) concerned where p.id = ${id}`,
  )
}

/** Notifies a post's writer about a reaction. */
export async function notifyOfReaction(tx: Tx, id: number, actorId: UserId): Promise<void> {
  await notify(
    tx,
    sql`select id, topic, ${actorId}::int as actor_id, 1 as rank, 'reaction' as kind, format('reaction %s', user_id) as key,
      user_id from posts where id = ${id}`,
  )
}

interface Concerned {
  readonly id: number
  readonly topic: number
  readonly actor_id: UserId
  readonly user_id: UserId
  readonly kind: NoticeKind
  readonly key: string
}

/**
 * In a room, notify only its members. Never notify players about their own acts or acts of muted players, or if one of
 * the two has blocked the other.
 */
async function notify(tx: Tx, concerned: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<Concerned>`
    select distinct on (c.user_id) c.* from (${concerned}) c join users u on u.id = c.user_id
      left join fairs f on f.id = case when c.topic < 0 then -c.topic
        else (select t.fair_id from fairs.tokens t where t.id = c.topic) end
     where c.user_id <> c.actor_id and ${mayBeNotified(sql`c.kind`)}
       and (f.id is null or f.kind not in ('room', 'sandbox') or f.host_id = c.user_id
            or exists (select from fairs.accounts a
                where a.fair_id = f.id and a.user_id = c.user_id and a.left_at is null))
       and not exists (select from blocks b where b.user_id in (c.user_id, c.actor_id)
         and b.blocked_user_id in (c.user_id, c.actor_id))
       and not exists (select from mutes m where m.user_id = c.actor_id and m.fair_id in (0, f.id) and m.until > now())
     order by c.user_id, c.rank`.execute(tx)
  if (rows.length === 0) return
  await lockPosition(tx)
  await notifyPlayers(
    tx,
    rows.map(({ id, topic, actor_id, user_id, kind, key }) => ({
      userId: user_id,
      kind,
      key,
      actorId: actor_id,
      seq: null,
      tokenId: topic > 0 ? (topic as TokenId) : null,
      detail: { id, topic },
    })),
  )
}
