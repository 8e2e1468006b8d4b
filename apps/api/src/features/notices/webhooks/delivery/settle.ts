import type { Webhook } from '@papermoon/contract/webhooks'
import type { Db, Tx } from '@papermoon/db'
import { sql } from 'kysely'
import { postponeMessage, removeMessage } from '../../outbox.ts'
import type { WebhookRow } from '../store.ts'
import { readEnds } from './batch.ts'
import { setPlaces, type TakenMessage, WAITED_S } from './queue.ts'

/** Min time in ms between a response and the next message to the same URL. */
const PAUSE_MS = 100
/** Max time for which a batch is retried, in hours. Time during which the batch could not be sent does not count. */
const TRIED_H = 24
const CHALLENGE_TRIES_MAX = 5

/** The result of an attempt to deliver a message. */
export interface Answer {
  /** HTTP status of the response. Null means that the receiver did not respond. */
  readonly status: number | null
  readonly error: Webhook['lastError']
  /** Delay before the next attempt that the receiver asked for, in ms. */
  readonly retryAfterMs: number | null
}

/** Records that a message was delivered. Returns false if another player's webhook has already confirmed this URL. */
export async function settleTaken(db: Db, message: TakenMessage, status: number | null): Promise<boolean> {
  const { hook, detail } = message
  return await db.transaction().execute(async (tx) => {
    await lockHook(tx, hook.id)
    await removeMessage(tx, message.id)
    const isVerified = detail.kind !== 'challenge' || (await markVerified(tx, hook))
    await noteTry(tx, hook.id, { status, error: isVerified ? null : 'taken', isFailure: !isVerified })
    if (detail.kind === 'ping') await resume(tx, hook.id)
    return isVerified
  })
}

/**
 * Records that an attempt failed. The message is retried, or dropped if a retry cannot help. Returns false if the batch
 * has been retried for a day.
 */
export async function settleFailed(db: Db, message: TakenMessage, answer: Answer): Promise<boolean> {
  const { id, hook, detail, attempt } = message
  return await db.transaction().execute(async (tx) => {
    await lockHook(tx, hook.id)
    await noteTry(tx, hook.id, { ...answer, isFailure: true })
    if (detail.kind === 'events' && (await isTooOld(tx, id))) return false
    if (detail.kind === 'ping' || (detail.kind === 'challenge' && attempt >= CHALLENGE_TRIES_MAX)) {
      await removeMessage(tx, message.id)
      return true
    }
    const error = answer.error ?? String(answer.status)
    await postponeMessage(tx, { id, attempt, error, retryAfterMs: answer.retryAfterMs })
    return true
  })
}

/**
 * Stops a webhook, and counts its unsent events as missed. The webhook gets no events until a test succeeds. Returns
 * false if the webhook no longer exists.
 */
export async function stopHook(tx: Tx, { hook, detail }: TakenMessage, answer: Answer): Promise<boolean> {
  await lockHook(tx, hook.id)
  await tx.deleteFrom('outbox').where('channel', '=', 'webhook').where('target_id', '=', hook.id).execute()
  await noteTry(tx, hook.id, { ...answer, isFailure: true })
  const missed = detail.kind === 'events' ? detail.count + detail.missed : 0
  const { rows } = await sql`
    update webhooks set stopped_at = clock_timestamp(), is_ready = true, missed = missed + ${missed}
     where id = ${hook.id} returning id`.execute(tx)
  return rows.length > 0
}

/** Allows the webhook's next message, because this message got no response. */
export async function freeHook(db: Db, { hook }: TakenMessage): Promise<void> {
  await sql`update webhooks set busy_until = clock_timestamp() where id = ${hook.id}`.execute(db)
}

async function lockHook(tx: Tx, id: number): Promise<void> {
  await tx.selectFrom('webhooks').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

async function isTooOld(tx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`
    select from outbox o
     where o.id = ${id}
       and o.created_at + ${WAITED_S} * interval '1 second' < clock_timestamp() - make_interval(hours => ${TRIED_H})`.execute(
    tx,
  )
  return rows.length > 0
}

interface Try extends Pick<Answer, 'status' | 'error'> {
  readonly isFailure: boolean
}

async function noteTry(tx: Tx, id: number, { status, error, isFailure }: Try): Promise<void> {
  await sql`
    update webhooks
       set last_at = clock_timestamp(), last_status = ${status}, last_error = ${error},
           failing_since = ${isFailure ? sql`coalesce(failing_since, clock_timestamp())` : sql`null`},
           busy_until = clock_timestamp() + ${PAUSE_MS} * interval '1 millisecond'
     where id = ${id}`.execute(tx)
}

/**
 * Marks the URL as confirmed. From now on, the webhook gets events. Returns false if another webhook has the same URL.
 */
async function markVerified(tx: Tx, hook: WebhookRow): Promise<boolean> {
  const places = setPlaces(hook, await readEnds(tx, hook))
  const { rows } = await sql`
    update webhooks w set verified_at = clock_timestamp(), is_ready = true, ${places}
     where w.id = ${hook.id} and not exists (
       select from webhooks o where o.url_hash = w.url_hash and o.verified_at is not null and o.id <> w.id)
    returning w.id`.execute(tx)
  return rows.length > 0
}

/** Make waiting messages due now, because the URL works again. */
async function resume(tx: Tx, id: number): Promise<void> {
  await sql`
    with started as (update webhooks set stopped_at = null where id = ${id})
    update outbox set due_at = clock_timestamp() where channel = 'webhook' and target_id = ${id}`.execute(tx)
}
