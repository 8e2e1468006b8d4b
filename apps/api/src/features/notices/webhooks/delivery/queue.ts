import type { Db, Tx } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'
import type { AppPart } from '../../../../context.ts'
import { findVisibleFairs } from '../../../fairs/public.ts'
import type { WebhookRow } from '../store.ts'
import { type Batch, type Bounds, haveEndsMoved, type Positions, readEnds, readNextBatch } from './batch.ts'
import type { Range, Wanted, WebhookEvent } from './read-events.ts'

/** Max number of events in a message. */
export const EVENTS_MAX = { standard: 100, discord: 25 } as const
/** Time in seconds after which a worker that reserved a message is considered dead. No call takes as long as this. */
const HELD_S = 30

/** The content of a message in the outbox. */
export type Detail =
  | { readonly kind: 'challenge'; readonly challenge: string }
  | { readonly kind: 'ping' }
  | {
      readonly kind: 'events'
      readonly bounds: Bounds
      /** Time before which events were too old. Messages from an earlier version lack this field. */
      readonly since?: string
      readonly count: number
      readonly missed: number
    }

/** A message that this worker has reserved. */
export interface TakenMessage {
  /** Id of the message in the outbox. */
  readonly id: number
  readonly hook: WebhookRow
  /** Sequence number of the message among the webhook's messages, counted from 1. */
  readonly number: number
  /** Number of this attempt, counted from 1. */
  readonly attempt: number
  readonly createdAt: Date
  readonly detail: Detail
  /** The events of the message. Null if the events between the bounds must be read. */
  readonly events: readonly WebhookEvent[] | null
}

/** SQL for whether a webhook `w` of a user `u` can get messages now. Suspended and frozen accounts get no messages. */
const MAY_SEND = sql<boolean>`(w.busy_until <= clock_timestamp() and u.standing = 'active' and u.deleted_at is null)`
const HELD = sql`clock_timestamp() + make_interval(secs => ${HELD_S})`
/** SQL for how long a message `o` has been due without being sent, in seconds. */
export const WAITED_S = sql<number>`coalesce((o.detail->>'waitedS')::float8, 0)`
const HAS_BATCH = sql<boolean>`exists (
  select from outbox b where b.channel = 'webhook' and b.target_id = w.id and b.detail->>'kind' = 'events')`

/** Returns whether a message must be sent or created now. */
export async function isAnythingDue(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is_due: boolean }>`
    select exists (select from webhooks where is_ready and busy_until <= clock_timestamp())
        or exists (select from outbox where channel = 'webhook' and due_at <= clock_timestamp()) as is_due`.execute(db)
  return rows[0]?.is_due === true
}

/**
 * Reserves due messages, one per webhook. Until the reservation ends, no node sends the webhook another message. If
 * this worker dies, the reserved messages become due again.
 */
export async function takeMessages(db: Db, most: number): Promise<TakenMessage[]> {
  const { rows } = await sql<WebhookRow & MessageRow>`
    with first as (
      select distinct on (target_id) id from outbox
       where channel = 'webhook' and due_at <= clock_timestamp() order by target_id, due_at, id
    ), due as (
      select o.id, o.target_id from first join outbox o using (id)
        join webhooks w on w.id = o.target_id join users u on u.id = w.user_id
       where o.due_at <= clock_timestamp() and ${MAY_SEND}
       order by o.due_at, o.id limit ${most} for update of o, w skip locked
    ), taken as (
      update outbox o
         set attempts = o.attempts + 1, due_at = ${HELD},
             detail = o.detail || jsonb_build_object(
               'waitedS', ${WAITED_S} + extract(epoch from greatest(clock_timestamp() - o.due_at, interval '0')))
        from due where o.id = due.id returning o.*
    ), busy as (
      update webhooks w set busy_until = ${HELD} from due where w.id = due.target_id returning w.*
    )
    select busy.*, taken.id as outbox_id, taken.message_id, taken.attempts, taken.created_at as made_at, taken.detail
      from taken join busy on busy.id = taken.target_id order by taken.id`.execute(db)
  return rows.map((row) => ({
    id: row.outbox_id,
    hook: row,
    number: row.message_id,
    attempt: row.attempts,
    createdAt: row.made_at,
    detail: toDetail(row.detail),
    events: null,
  }))
}

/** Parses the content of a message. Earlier versions stored one range for each kind of event. */
function toDetail(detail: Detail): Detail {
  if (detail.kind !== 'events' || detail.bounds.journal !== undefined) return detail
  const { trades, notices } = detail.bounds as unknown as { readonly trades: Range; readonly notices: Range }
  return { ...detail, bounds: { journal: trades, notices } }
}

interface MessageRow {
  readonly outbox_id: number
  readonly message_id: number
  readonly attempts: number
  readonly made_at: Date
  readonly detail: Detail
}

/**
 * Finds a webhook that may have new events and has no batch yet. Creates the webhook's next batch and reserves it.
 * Returns null if there is no such webhook, and 'nothing' if the webhook has no events.
 */
export async function makeBatch(app: AppPart<'db' | 'fairs'>): Promise<TakenMessage | 'nothing' | null> {
  return await app.platform.db.transaction().execute(async (tx) => {
    const hook = await claimReadyHook(tx)
    if (hook === undefined) return null
    const [{ now } = { now: new Date() }] = (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx)).rows
    const wanted = await findWanted(tx, hook)
    const to = await readEnds(tx, hook)
    const market = hook.fairs === null ? tx : getMarketDb(app, hook)
    const batch = await readNextBatch(market, wanted, { from: getPlaces(hook), to, most: EVENTS_MAX[hook.format], now })
    const missed = hook.missed + batch.missed
    const hasMore = batch.hasMore || (await haveEndsMoved(tx, to, hook))
    await moveOn(tx, hook, { batch: { ...batch, hasMore }, missed: batch.events.length === 0 ? missed : 0 })
    if (batch.events.length === 0) return 'nothing'
    const { bounds, since, events } = batch
    const detail: Detail = { kind: 'events', bounds, since: since.toISOString(), count: events.length, missed }
    return await insertBatch(tx, hook, { detail, events: batch.events })
  })
}

/** Returns the events that a webhook can get now, without rooms that the player left. */
export async function findWanted(
  db: Db,
  { user_id: userId, events, token_ids: tokenIds, fairs }: WebhookRow,
): Promise<Wanted> {
  return { userId, events, tokenIds, fairs: fairs && (await findVisibleFairs(db, fairs, userId)) }
}

/** Returns the database connection for the market of a webhook's events. */
export function getMarketDb({ platform, market }: AppPart<'db' | 'fairs'>, { fairs }: Pick<WebhookRow, 'fairs'>): Db {
  return fairs === null ? platform.db : (market.fairs?.platform ?? platform).db
}

function getPlaces(hook: WebhookRow): Positions {
  return { journal: hook.fairs === null ? hook.trade_id : hook.fair_trade_id, notices: hook.notice_id }
}

async function claimReadyHook(tx: Tx): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    with ready as (
      select w.id from webhooks w join users u on u.id = w.user_id
       where w.is_ready and w.verified_at is not null and w.stopped_at is null and ${MAY_SEND} and not ${HAS_BATCH}
       order by w.busy_until limit 1 for update of w skip locked
    )
    update webhooks w set is_ready = false from ready where w.id = ready.id returning w.*`.execute(tx)
  return rows[0]
}

async function moveOn(
  tx: Tx,
  hook: WebhookRow,
  { batch: { bounds, events, hasMore }, missed }: { readonly batch: Batch; readonly missed: number },
): Promise<void> {
  const busyUntil = events.length === 0 ? sql`clock_timestamp()` : HELD
  await sql`
    update webhooks
       set ${setPlaces(hook, { journal: bounds.journal.through, notices: bounds.notices.through })}, is_ready = ${hasMore}, missed = ${missed}, busy_until = ${busyUntil},
           messages = messages + ${events.length === 0 ? 0 : 1}
     where id = ${hook.id}`.execute(tx)
}

export function setPlaces({ fairs }: Pick<WebhookRow, 'fairs'>, { journal, notices }: Positions): RawBuilder<unknown> {
  return sql`${sql.ref(fairs === null ? 'trade_id' : 'fair_trade_id')} = ${journal}, notice_id = ${notices}`
}

async function insertBatch(
  tx: Tx,
  hook: WebhookRow,
  { detail, events }: Pick<TakenMessage, 'detail' | 'events'>,
): Promise<TakenMessage> {
  const number = hook.messages + 1
  const { rows } = await sql<{ id: number; created_at: Date }>`
    insert into outbox (channel, user_id, target_id, message_id, created_at, due_at, attempts, detail)
    values ('webhook', ${hook.user_id}, ${hook.id}, ${number}, clock_timestamp(), ${HELD}, 1, ${JSON.stringify(detail)}::jsonb)
    returning id, created_at`.execute(tx)
  const [made] = rows
  if (made === undefined) throw new Error('a message was not inserted')
  return { id: made.id, hook, number, attempt: 1, createdAt: made.created_at, detail, events }
}
