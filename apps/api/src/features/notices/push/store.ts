import type { SubscribeInput } from '@papermoon/contract/push'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

/** Max number of devices per player. When a player adds another device, it replaces the oldest one. */
export const DEVICES_MAX = 10
/** How long the server retries a message, in hours. */
const TRIED_H = 24

export interface NewDevice extends SubscribeInput {
  readonly userId: UserId
  readonly sessionHash: Buffer
  readonly now: Date
}

/**
 * Adds a device, or transfers a device that another player added in the same browser. Returns whether the device still
 * accepts messages; null if the session has ended.
 */
export async function upsertDevice(db: Db, device: NewDevice): Promise<boolean | null> {
  const { userId, sessionHash, endpoint, p256dh, auth, now } = device
  const { rows } = await sql<{ gone_at: Date | null }>`
    insert into push_devices (user_id, session_hash, endpoint, p256dh, auth, created_at)
    select s.user_id, s.token_hash, ${endpoint}, ${p256dh}, ${auth}, ${now}
      from sessions s where s.token_hash = ${sessionHash} and s.user_id = ${userId} for key share
    on conflict (endpoint) do update
      set user_id = excluded.user_id, session_hash = excluded.session_hash, p256dh = excluded.p256dh, auth = excluded.auth
    returning gone_at`.execute(db)
  await sql`
    delete from push_devices where id in (
      select id from push_devices where user_id = ${userId} order by id desc offset ${DEVICES_MAX})`.execute(db)
  const [added] = rows
  return added === undefined ? null : added.gone_at === null
}

export async function deleteDevice(db: Db, userId: UserId, endpoint: string): Promise<void> {
  await db.deleteFrom('push_devices').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute()
}

export async function findEndpoints(db: Db, userId: UserId): Promise<string[]> {
  const rows = await db
    .selectFrom('push_devices')
    .select('endpoint')
    .where('user_id', '=', userId)
    .where('gone_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map((row) => row.endpoint)
}

/** A message that this worker has reserved, and its recipient. */
export interface TakenMessage {
  readonly id: number
  readonly noticeId: number
  readonly deviceId: number
  readonly userId: UserId
  /** Number of this attempt, counted from 1. */
  readonly attempt: number
  /** URL at the push service. Null if the device was removed or belongs to another player now. */
  readonly endpoint: string | null
  readonly p256dh: string | null
  readonly auth: string | null
}

export interface TakeLimits {
  readonly most: number
  /** Max number of reserved messages that are retries. */
  readonly mostRetries: number
  readonly mostOfAccount: number
  /** The accounts for which calls are running now. Running calls count against the limits. */
  readonly underWay: readonly UserId[]
  readonly againMs: number
}

/**
 * Reserves due messages within the limits. Reserved messages become due again after `againMs`. If a worker dies before
 * it records the result, a message is therefore sent once more with the same id. Drops messages that were retried for a
 * day.
 */
export async function takeMessages(db: Db, limits: TakeLimits): Promise<TakenMessage[]> {
  const { most, mostRetries, mostOfAccount, underWay, againMs } = limits
  await sql`
    delete from outbox where channel = 'push' and created_at < now() - make_interval(hours => ${TRIED_H})`.execute(db)
  const { rows } = await sql<TakenMessage>`
    with busy as (
      select user_id, count(*) as calls from unnest(${underWay}::int[]) as user_id group by user_id
    ), ranked as (
      select o.id, due_at, attempts > 0 as is_retry,
             row_number() over (partition by user_id order by due_at, o.id) + coalesce(busy.calls, 0) as account_calls
        from outbox o left join busy using (user_id) where channel = 'push' and due_at <= clock_timestamp()
    ), placed as (
      select id, is_retry, row_number() over (partition by is_retry order by due_at, id) as place
        from ranked where account_calls <= ${mostOfAccount}
    ), due as (
      select o.id from placed join outbox o using (id)
       where (not is_retry or place <= ${mostRetries}) and o.due_at <= clock_timestamp()
       order by o.due_at, o.id limit ${most} for update of o skip locked
    ), taken as (
      update outbox o set attempts = attempts + 1, due_at = clock_timestamp() + ${againMs} * interval '1 millisecond'
        from due where o.id = due.id
      returning o.id, o.user_id, o.target_id, o.message_id, o.attempts
    )
    select t.id, t.message_id as "noticeId", t.target_id as "deviceId", t.user_id as "userId", t.attempts as attempt,
           d.endpoint, d.p256dh, d.auth
      from taken t left join push_devices d on d.id = t.target_id and d.user_id = t.user_id and d.gone_at is null
     order by t.id`.execute(db)
  return rows
}

/**
 * Removes a device that its push service rejects, and the device's waiting messages. If the device no longer exists,
 * its row stays, so that nobody adds the same URL again. After any other rejection, which this server may have caused,
 * the browser may add the device again.
 */
export async function endDevice(db: Db, deviceId: number, { isGone }: { isGone: boolean }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('outbox').where('channel', '=', 'push').where('target_id', '=', deviceId).execute()
    if (isGone)
      await tx.updateTable('push_devices').set({ gone_at: sql<Date>`now()` }).where('id', '=', deviceId).execute()
    else await tx.deleteFrom('push_devices').where('id', '=', deviceId).execute()
  })
}
