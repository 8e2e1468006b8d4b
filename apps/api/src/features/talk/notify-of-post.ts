import type { NoticeKind, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { lockPosition, mayBeNotified, notifyPlayers } from '../notices/public.ts'

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
