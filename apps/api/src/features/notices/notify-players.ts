import { NEWS_KINDS, NOTICE_KINDS, NOTICES_MAX } from '@papermoon/contract/notices'
import type { NoticeKind, Tx } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'

/** Time in minutes within which causes with the same key share one notice with a count. */
export const SAME_WITHIN_MIN = 10

/**
 * Kinds of causes that other players can create without limit. For each such key, a player has at most one unread
 * notice.
 */
const MERGED: readonly NoticeKind[] = ['reply', 'reaction', 'follower']
/** Kinds of causes that a player can undo and repeat. Such a player causes at most one notice a day. */
const REPEATABLE: readonly NoticeKind[] = ['reaction', 'follower']

/** An event that causes a notice to one player. */
export interface PersonalCause {
  readonly userId: UserId
  readonly kind: NoticeKind
  /**
   * Key of the cause. A player's causes with the same key share a notice for `SAME_WITHIN_MIN`. Causes whose kind is in
   * `MERGED` share a notice until the player reads it.
   */
  readonly key: string
  readonly tokenId: TokenId | null
  readonly actorId: UserId | null
  readonly seq: number | null
  readonly detail: Readonly<Record<string, string | number>>
}

/** Returns SQL for whether a user `u` gets notices of a kind. House bots get no notices, because nobody reads them. */
export function mayBeNotified(kind: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(u.kind <> 'house' and u.deleted_at is null and not exists (
    select from notice_settings s where s.user_id = u.id and ${kind} = any(s.muted)))`
}

const NOTICE_EVENTS = sql`${[...NOTICE_KINDS, ...NEWS_KINDS].map((kind) => `notice.${kind}`)}::text[]`

/**
 * SQL that ends a `with` clause. It puts one message into the outbox for each device of the players in `notified` (id,
 * user_id, kind), and wakes their webhooks. Devices get no message about a sticker, because the player who earns it is
 * online. A sleeping webhook has no events among the trades that the follower has already processed.
 */
export const SEND_NOTICES = sql`
  message as (
    insert into outbox (channel, user_id, target_id, message_id, created_at, due_at)
    select 'push', d.user_id, d.id, notified.id, now(), now() from notified join push_devices d using (user_id)
     where notified.kind <> 'sticker' and d.gone_at is null
  ), woken as (
    update webhooks w
       set is_ready = true, trade_id = greatest(w.trade_id, p.trade_id), fair_trade_id = greatest(w.fair_trade_id, p.fair_trade_id)
      from notified, notice_position p
     where w.user_id = notified.user_id and not w.is_ready and w.verified_at is not null
       and w.events && ${NOTICE_EVENTS}
  )`

/**
 * Notifies players once about each of their causes, in the transaction that found the causes. Returns the number of
 * notices.
 */
export async function notifyPlayers(tx: Tx, causes: readonly PersonalCause[]): Promise<number> {
  if (causes.length === 0) return 0
  const { rows } = await sql<{ user_id: UserId }>`
    with fresh as (${selectCauses(causes)}),
    again as (
      update notice_causes c set times = c.times + 1, actor_id = f.actor_id, seq = f.seq, detail = f.detail, last_at = now()
        from fresh f
       where c.id = (select max(id) from notice_causes where key = f.key)
         and case when f.kind = any(${MERGED}::text[])
           then exists (select from notices n where n.cause_id = c.id and n.read_at is null)
           else c.created_at > now() - make_interval(mins => ${SAME_WITHIN_MIN}) end
      returning c.key
    ), cause as (
      insert into notice_causes (key, kind, token_id, actor_id, seq, detail, created_at, last_at)
      select f.key, f.kind, f.token_id, f.actor_id, f.seq, f.detail, now(), now()
        from fresh f join users u on u.id = f.user_id
       where ${mayBeNotified(sql`f.kind`)} and f.key not in (select key from again)
      returning id, key
    ), notified as (
      insert into notices (user_id, cause_id, kind, token_id, created_at)
      select f.user_id, cause.id, f.kind, f.token_id, now() from cause join fresh f using (key) order by cause.id
      returning id, user_id, kind
    ), ${SEND_NOTICES}
    select user_id from notified`.execute(tx)
  const notified = rows.map((row) => row.user_id)
  await trimNotices(tx, notified)
  return notified.length
}

function selectCauses(causes: readonly PersonalCause[]): RawBuilder<unknown> {
  const column = <T>(read: (cause: PersonalCause) => T) => causes.map(read)
  return sql`
    select * from unnest(
      ${column((it) => it.userId)}::int[], ${column((it) => it.kind)}::text[], ${column((it) => it.key)}::text[],
      ${column((it) => it.tokenId)}::int[], ${column((it) => it.actorId)}::int[], ${column((it) => it.seq)}::bigint[],
      ${column((it) => JSON.stringify(it.detail))}::jsonb[]
    ) as cause (user_id, kind, key, token_id, actor_id, seq, detail)
     where kind <> all(${REPEATABLE}::text[]) or not exists (select from notice_causes notified
       where notified.key = cause.key and notified.actor_id = cause.actor_id and notified.last_at > now() - interval '1 day')`
}

/** Deletes all but the newest notices of these players. Reminders are kept, because no list shows them. */
export async function trimNotices(tx: Tx, userIds: readonly UserId[]): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    delete from notices where id in (
      select old.id from unnest(${userIds}::int[]) as notified (user_id) cross join lateral (
        select id from notices n where n.user_id = notified.user_id and n.kind <> 'reminder' order by id desc offset ${NOTICES_MAX}
      ) old)`.execute(tx)
}
