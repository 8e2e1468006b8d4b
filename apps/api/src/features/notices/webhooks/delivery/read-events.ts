import { type FairEvent, fairEvent, type NamedEvent, namedEvents, ofFair } from '@papermoon/contract/market-events'
import { postEvent } from '@papermoon/contract/posts'
import { tokenNames } from '@papermoon/contract/shapes'
import { orderEvent } from '@papermoon/contract/waiting-orders'
import type { WebhookEventName } from '@papermoon/contract/webhooks'
import type { Db } from '@papermoon/db'
import { type TokenId, trade, type UserId } from '@papermoon/engine'
import { toNoticeText } from '@papermoon/format/notice-text'
import { type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { visibleTokens } from '../../../../database/conditions.ts'
import {
  isNamed,
  type PlacedEvent,
  readFairMoments,
  readLaunches,
  readOrderEvents,
  readRugs,
  readTrades,
  type StreamEvent,
} from '../../../../events/journal.ts'
import { isNotBlocked, readPostEvents } from '../../../talk/public.ts'
import { findNoticesAfter, type Notice, type PlayerNotice } from '../../read-notices.ts'

const inTrade = trade.omit({ tokenId: true, seq: true }).meta({
  deprecated: true,
  description: 'Same as in `trade`, for older receivers.',
})

/**
 * Data of market events, in the same form as in the event stream. For older receivers, the data repeats the properties
 * of `trade`. The data lacks `holding`, because the holding may change between two attempts.
 */
export const webhookData = {
  trade: namedEvents.trade.omit({ holding: true }).extend({ ...inTrade.shape, ...ofFair }),
  launch: namedEvents.launch.extend(ofFair),
  rug: namedEvents.rug.extend(ofFair),
  fair: fairEvent,
  post: postEvent.extend({ ...tokenNames, ...ofFair }),
  order: orderEvent.extend({ ...tokenNames, ...ofFair }),
} as const

interface EventOf<Type extends WebhookEventName, Data> {
  /** Id of the event. Two events with the same id are the same event. */
  readonly id: string
  readonly type: Type
  readonly timestamp: string
  readonly data: Data
}

interface OfFair {
  /** The fair to which the event belongs. Events of the fairground lack this property. */
  readonly fairId?: number
}

type TradeData = Omit<NamedEvent<'trade'>, 'holding'> & z.output<typeof inTrade> & OfFair

/** Properties that only newer kinds of notices have. */
type LaterField = 'seal' | 'post' | 'moderation'

/** A notice with the text that players see. */
type NoticeData = Omit<Notice, 'readAt' | LaterField> &
  Partial<Pick<Notice, LaterField>> & { readonly title: string; readonly body: string }

/** An event in the form that webhooks receive. */
export type WebhookEvent =
  | EventOf<'trade' | 'fill', TradeData>
  | EventOf<'launch', NamedEvent<'token_launched'> & OfFair>
  | EventOf<'rug', NamedEvent<'rug_pull'> & OfFair>
  | EventOf<'fair', FairEvent>
  | EventOf<'post', z.output<typeof webhookData.post>>
  | EventOf<'order', z.output<typeof webhookData.order>>
  | EventOf<`notice.${Notice['kind']}`, NoticeData>

/** A range of ids: above `after` and up to `through`. */
export interface Range {
  readonly after: number
  readonly through: number
}

/** A webhook's player and chosen events. */
export interface Wanted {
  readonly userId: UserId
  readonly events: readonly WebhookEventName[]
  /** Tokens whose events the webhook gets. Null means that the webhook gets events of all tokens. */
  readonly tokenIds: readonly TokenId[] | null
  /** Fairs that the player can see now. Null means the fairground. */
  readonly fairs: readonly number[] | null
}

/** An event, and the id of its row, which becomes the webhook's position. */
export interface FoundEvent {
  readonly rowId: number
  readonly event: WebhookEvent
}

/** A part of the journal with at most `limit` rows. */
interface Part extends Range {
  readonly limit: number
  /** Time before which trades are too old and are skipped. */
  readonly since: Date
}

/** Reads a webhook's events in a part of the journal, ordered by position. */
type Reader = (db: Db, wanted: Wanted, part: Part) => Promise<FoundEvent[]>

/**
 * The functions that read notices and the journal. Each reader reads only the wanted kinds. The kind of a notice is
 * known only after the notice was read.
 */
export const eventReaders = {
  notices: readNotices,
  journal: async (db, wanted, part) => {
    const found: FoundEvent[] = []
    for (const read of [readLaunchEvents, readTradesAndFills, readRugEvents, readPosts, readOrders, readMoments])
      found.push(...(await read(db, wanted, part)))
    return found.sort((a, b) => a.rowId - b.rowId)
  },
} as const satisfies Record<string, Reader>

/** Reads trades and fills. A player's own trade can be both a trade and a fill. */
async function readTradesAndFills(db: Db, wanted: Wanted, { since, ...part }: Part): Promise<FoundEvent[]> {
  if (!wantsTrades(wanted)) return []
  const only = sql<SqlBool>`t.created_at >= ${since} and ${isVisible('t.token_id')} and ${isWantedTrade(wanted)}`
  const found = await withTokens(db, await readTrades(db, { ...part, fairs: wanted.fairs, only }))
  return found.flatMap(({ place: rowId, event: { holding: _, ...event } }) => {
    const data = { ...event.trade, ...event }
    const { tokenId, seq, createdAt: timestamp } = data
    const isOfToken = wanted.tokenIds === null || wanted.tokenIds.includes(tokenId)
    const types = (['trade', 'fill'] as const).filter(
      (type) => wanted.events.includes(type) && (type === 'trade' ? isOfToken : data.userId === wanted.userId),
    )
    return types.map(
      (type): FoundEvent => ({ rowId, event: { id: `${type}-${tokenId}-${seq}`, type, timestamp, data } }),
    )
  })
}

/** Counts the trades for a webhook in a range that are older than `since`. */
export async function countOldTrades(db: Db, wanted: Wanted, { after, through }: Range, since: Date): Promise<number> {
  if (!wantsTrades(wanted)) return 0
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from trades t
     where t.id > ${after} and t.id <= ${through} and t.created_at < ${since}
       and ${isNamed('t.token_id', { fairs: wanted.fairs })} and ${isWantedTrade(wanted)}`.execute(db)
  return rows[0]?.count ?? 0
}

function wantsTrades({ events }: Wanted): boolean {
  return events.includes('trade') || events.includes('fill')
}

/** SQL for whether a webhook wants a trade `t` in its fairs, either as a trade or as a fill. */
function isWantedTrade({ events, userId, tokenIds: tokens }: Wanted) {
  const isTrade = events.includes('trade') ? isNamed('t.token_id', { tokens }) : sql`false`
  const isFill = events.includes('fill') ? sql`t.user_id = ${userId}::int` : sql`false`
  return sql<SqlBool>`(${isTrade} or ${isFill})`
}

/** Reads posts, except posts about hidden tokens and posts of blocked players. */
async function readPosts(
  db: Db,
  { events, userId, tokenIds: tokens, fairs }: Wanted,
  part: Part,
): Promise<FoundEvent[]> {
  if (!events.includes('post')) return []
  const only = sql<SqlBool>`${isVisible('p.topic')} and ${isNotBlocked(userId)}`
  const found = await readPostEvents(db, { ...part, tokens, fairs, only })
  return (await withTokens(db, found)).map(({ place, event: data }) => {
    const id = data.kind === 'shown' ? `post-${data.post.id}` : `post-${data.post.id}-${place}`
    return { rowId: place, event: { id, type: 'post', timestamp: data.createdAt, data } }
  })
}

/** Reads the player's waiting orders whose last change lies in this part of the journal, with their current state. */
async function readOrders(db: Db, { events, userId: player, fairs }: Wanted, part: Part): Promise<FoundEvent[]> {
  if (!events.includes('order')) return []
  const found = await readOrderEvents(db, { ...part, player, fairs })
  return (await withTokens(db, found)).map(({ place, event: { userId: _, ...data } }) => {
    const { id, endedAt, placedAt } = data.order
    return { rowId: place, event: { id: `order-${id}-${place}`, type: 'order', timestamp: endedAt ?? placedAt, data } }
  })
}

async function readLaunchEvents(db: Db, { events, fairs }: Wanted, part: Part): Promise<FoundEvent[]> {
  if (!events.includes('launch')) return []
  const found = await readLaunches(db, { ...part, fairs, only: isVisible('t.id') })
  return (await withTokens(db, found)).map(({ place, event: data }) => {
    return { rowId: place, event: { id: `launch-${data.tokenId}`, type: 'launch', timestamp: data.createdAt, data } }
  })
}

async function readRugEvents(db: Db, { events, tokenIds: tokens, fairs }: Wanted, part: Part): Promise<FoundEvent[]> {
  if (!events.includes('rug')) return []
  const found = await readRugs(db, { ...part, tokens, fairs, only: isVisible('r.token_id') })
  return (await withTokens(db, found)).map(({ place, event: data }) => {
    return { rowId: place, event: { id: `rug-${data.tokenId}`, type: 'rug', timestamp: data.createdAt, data } }
  })
}

/** Reads the starts, ends and results of fairs. */
async function readMoments(db: Db, { events, fairs }: Wanted, part: Part): Promise<FoundEvent[]> {
  if (!events.includes('fair')) return []
  const found = await readFairMoments(db, { ...part, fairs })
  return found.map(({ place, event: data }) => {
    const id = `fair-${data.fairId}-${data.moment}`
    return { rowId: place, event: { id, type: 'fair', timestamp: data.createdAt, data } }
  })
}

/** SQL for whether the token in a column is visible. */
function isVisible(column: string) {
  return sql<SqlBool>`exists (select from ${visibleTokens} v where v.id = ${sql.ref(column)})`
}

/** Adds the names and fairs of tokens to events. */
async function withTokens<Event extends StreamEvent & { readonly tokenId: number }>(
  db: Db,
  found: readonly PlacedEvent<Event>[],
) {
  if (found.length === 0) return []
  const tokens = await db
    .selectFrom('tokens')
    .select(['id', 'name', 'symbol', 'emoji', 'fair_id'])
    .where('id', 'in', [...new Set(found.map(({ event }) => event.tokenId))])
    .execute()
  const byId = new Map(
    tokens.map(({ id, fair_id: fairId, ...names }) => [id, { ...names, ...(fairId > 1 && { fairId }) }]),
  )
  return found.flatMap(({ place, event }) => {
    const ofToken = byId.get(event.tokenId)
    return ofToken === undefined ? [] : [{ place, event: { ...event, ...ofToken } }]
  })
}

/** Reads all kinds of notices of a player. */
async function readNotices(db: Db, { userId }: Wanted, { after, through, limit: most }: Part): Promise<FoundEvent[]> {
  const found = await findNoticesAfter(db, [userId], { after, most })
  return found.filter(({ notice }) => notice.id <= through).map(toNoticeEvent)
}

function toNoticeEvent({ notice }: PlayerNotice): FoundEvent {
  const { readAt: _, seal, post, moderation, ...rest } = notice
  const { title, body } = toNoticeText(notice)
  const later = { ...(seal && { seal }), ...(post && { post }), ...(moderation && { moderation }) }
  const { id, kind, createdAt } = notice
  const event = { id: `notice-${id}`, type: `notice.${kind}` as const, timestamp: createdAt }
  return { rowId: id, event: { ...event, data: { ...rest, ...later, title, body } } }
}
