import type { Webhook, WebhookEventName } from '@papermoon/contract/webhooks'
import type { Db, Tx, WebhooksTable } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { type Insertable, type Selectable, sql } from 'kysely'
import { visibleTokens } from '../../../database/conditions.ts'

/** Counts how many of the given tokens exist and are visible. */
export async function countTokens(db: Db, tokenIds: readonly TokenId[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${visibleTokens} t where t.id = any(${[...tokenIds]}::int[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** Inserts a webhook. Returns null if the player already has a webhook with this URL. */
export async function insertWebhook(tx: Tx, webhook: Insertable<WebhooksTable>): Promise<number | null> {
  const row = await tx
    .insertInto('webhooks')
    .values(webhook)
    .onConflict((conflict) => conflict.columns(['user_id', 'url_hash']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Queues a challenge, or a test message if the URL is confirmed. If a message is already waiting, it is sent now. */
export async function queueTest(tx: Tx, userId: UserId, id: number): Promise<boolean> {
  const { rows } = await sql`
    with hook as (
      update webhooks set messages = messages + 1 where id = ${id} and user_id = ${userId} returning *
    ), waiting as (
      update outbox o set due_at = clock_timestamp(), attempts = 0, created_at = clock_timestamp() from hook
       where o.channel = 'webhook' and o.target_id = hook.id and o.detail->>'kind' in ('challenge', 'ping') returning o.id
    ), fresh as (
      insert into outbox (channel, user_id, target_id, message_id, created_at, due_at, detail)
      select 'webhook', user_id, id, messages, clock_timestamp(), clock_timestamp(),
             case when verified_at is null
               then jsonb_build_object('kind', 'challenge', 'challenge', replace(gen_random_uuid()::text, '-', ''))
               else jsonb_build_object('kind', 'ping') end
        from hook where not exists (select from waiting)
    )
    select id from hook`.execute(tx)
  return rows.length > 0
}

type Named = 'user_id' | 'events' | 'token_ids' | 'last_error'

/** A row of `webhooks` with the contract's types. */
export type WebhookRow = Omit<Selectable<WebhooksTable>, Named> & {
  readonly user_id: UserId
  readonly events: WebhookEventName[]
  readonly token_ids: TokenId[] | null
  readonly last_error: Webhook['lastError']
}

/** A listed webhook with the time of its next attempt. The time is null if no message is waiting. */
export type ListedWebhook = WebhookRow & { readonly next_at: Date | null }

/** Finds a player's webhooks, oldest first. With `id`, finds only this webhook. */
export async function findWebhooks(db: Db, userId: UserId, id: number | null = null): Promise<ListedWebhook[]> {
  const { rows } = await sql<ListedWebhook>`
    select w.*, (select min(o.due_at) from outbox o where o.channel = 'webhook' and o.target_id = w.id) as next_at
      from webhooks w where w.user_id = ${userId} and (${id}::int is null or w.id = ${id}::int) order by w.id`.execute(
    db,
  )
  return rows
}

/**
 * Deletes a player's webhook and its waiting messages. Returns the webhook's host, or null if there is no such webhook.
 */
export async function deleteWebhook(tx: Tx, userId: UserId, id: number): Promise<string | null> {
  const row = await tx
    .deleteFrom('webhooks')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('host')
    .executeTakeFirst()
  if (row === undefined) return null
  await tx.deleteFrom('outbox').where('channel', '=', 'webhook').where('target_id', '=', id).execute()
  return row.host
}

/**
 * Replaces the secret and keeps the previous one until `oldUntil`. Returns the webhook's host, or null if the webhook
 * does not exist.
 */
export async function replaceSecret(
  tx: Tx,
  { userId, id, sealed, oldUntil }: { userId: UserId; id: number; sealed: Buffer; oldUntil: Date },
): Promise<string | null> {
  const row = await tx
    .updateTable('webhooks')
    .set((eb) => ({ old_secret_sealed: eb.ref('secret_sealed'), old_secret_until: oldUntil, secret_sealed: sealed }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('host')
    .executeTakeFirst()
  return row?.host ?? null
}
