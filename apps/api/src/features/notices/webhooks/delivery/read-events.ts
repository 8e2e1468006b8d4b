import type { WebhookEventName } from '@papermoon/contract/webhooks'
import type { Db } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { toNoticeText } from '@papermoon/format/notice-text'
import { type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../../database/visible-tokens.ts'
import {
  isNamed,
  launchRows,
  readFairMoments,
  readOrderEvents,
  rugRows,
  toLaunchEvent,
  toMarketTradeEvent,
  toRugEvent,
  tradeRows,
} from '../../../../events/journal.ts'
import { findNoticesAfter, type PlayerNotice } from '../../../../notices/read-notices.ts'
import { isNotBlocked } from '../../../../talk/open-topic.ts'
import { readPostEvents } from '../../../../talk/read-posts.ts'
import type { WebhookEvent } from './events.ts'

/** Ids in (after, through]. */
export interface Range {
  readonly after: number
  readonly through: number
}

/** Whose events, and which. */
export interface Wanted {
  readonly userId: UserId
  readonly events: readonly WebhookEventName[]
  /** Null: all tokens. */
  readonly tokenIds: readonly TokenId[] | null
  /** Those that its player may see now; null: the fairground. */
  readonly fairs: readonly number[] | null
}

/** An event, and the id of its row by which a webhook's place moves on. */
export interface FoundEvent {
  readonly rowId: number
  readonly event: WebhookEvent
}

/** The trades of a range that a webhook gets, by id; a trade of one's own may be two events. */
export async function readTrades(
  db: Db,
  wanted: Wanted,
  { range, most, since }: { readonly range: Range; readonly most: number; readonly since: Date },
): Promise<FoundEvent[]> {
  const rows = await tradeRows(db)
    .innerJoin(visibleTokens.as('k'), 'k.id', 't.token_id')
    .select(['k.name', 'k.symbol', 'k.emoji', 'k.fair_id'])
    .select([marketMatch(wanted).as('is_trade'), fillMatch(wanted).as('is_fill')])
    .where('t.id', '>', range.after)
    .where('t.id', '<=', range.through)
    .where('t.created_at', '>=', since)
    .where(sql<boolean>`(${marketMatch(wanted)} or ${fillMatch(wanted)})`)
    .orderBy('t.id')
    .limit(most)
    .execute()
  return rows.flatMap((row) => {
    const { name, symbol, emoji } = row
    const { holding: _, ...event } = toMarketTradeEvent(row)
    const data = { ...event.trade, ...event, name, symbol, emoji, ...toFairId(row) }
    const key = `${data.tokenId}-${data.seq}`
    const made: FoundEvent[] = []
    const timestamp = data.createdAt
    if (row.is_trade) made.push({ rowId: row.id, event: { id: `trade-${key}`, type: 'trade', timestamp, data } })
    if (row.is_fill) made.push({ rowId: row.id, event: { id: `fill-${key}`, type: 'fill', timestamp, data } })
    return made
  })
}

/** The posts of a range, by place: nothing about hidden tokens, nor of players with whom the webhook's is blocked. */
export async function readPosts(
  db: Db,
  { userId, tokenIds: topics, fairs }: Wanted,
  { range, most: limit }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const isVisible = sql`exists (select from ${visibleTokens} v where v.id = p.topic)`
  const only = sql<boolean>`(${isVisible} and ${isNotBlocked(userId)})`
  const found = await readPostEvents(db, { ...range, limit, topics, fairs, only })
  return (await withTokens(db, found)).map(({ place, event, ofToken }) => {
    const id = event.kind === 'shown' ? `post-${event.post.id}` : `post-${event.post.id}-${place}`
    return { rowId: place, event: { id, type: 'post', timestamp: event.createdAt, data: { ...event, ...ofToken } } }
  })
}

/** The player's waiting orders that changed last in a range, by place, each as it is now. */
export async function readOrders(
  db: Db,
  { userId: player, fairs }: Wanted,
  { range, most: limit }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const found = await readOrderEvents(db, { ...range, limit, player, fairs })
  return (await withTokens(db, found)).map(({ place, event: { userId: _, ...event }, ofToken }) => {
    const { id, endedAt, placedAt } = event.order
    const timestamp = endedAt ?? placedAt
    return {
      rowId: place,
      event: { id: `order-${id}-${place}`, type: 'order', timestamp, data: { ...event, ...ofToken } },
    }
  })
}

/** Adds the names of their tokens, and their fair, to events. */
async function withTokens<Found extends { readonly event: { readonly tokenId: number } }>(
  db: Db,
  found: readonly Found[],
) {
  if (found.length === 0) return []
  const tokens = await db
    .selectFrom('tokens')
    .select(['id', 'name', 'symbol', 'emoji', 'fair_id'])
    .where('id', 'in', [...new Set(found.map(({ event }) => event.tokenId))])
    .execute()
  const byId = new Map(tokens.map((token) => [token.id, token]))
  return found.flatMap((one) => {
    const token = byId.get(one.event.tokenId)
    if (token === undefined) return []
    const { name, symbol, emoji } = token
    return [{ ...one, ofToken: { name, symbol, emoji, ...toFairId(token) } }]
  })
}

/** How many trades of a range are a webhook's and older than `since`. */
export async function countOldTrades(db: Db, wanted: Wanted, range: Range, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from trades t
     where t.id > ${range.after} and t.id <= ${range.through} and t.created_at < ${since}
       and (${marketMatch(wanted)} or ${fillMatch(wanted)})`.execute(db)
  return rows[0]?.count ?? 0
}

function marketMatch({ events, tokenIds: tokens, fairs }: Wanted): RawBuilder<boolean> {
  return events.includes('trade') ? sql<boolean>`(${isNamed('t.token_id', { tokens, fairs })})` : sql<boolean>`false`
}

function fillMatch({ events, userId, fairs }: Wanted): RawBuilder<boolean> {
  if (!events.includes('fill')) return sql<boolean>`false`
  return sql<boolean>`(t.user_id = ${userId}::int and ${isNamed('t.token_id', { tokens: null, fairs })})`
}

/** What is said of a token's fair. */
function toFairId({ fair_id: fairId }: { readonly fair_id: number }): { readonly fairId?: number } {
  return fairId > 1 ? { fairId } : {}
}

/** The launches of a range, by token id. */
export async function readLaunches(
  db: Db,
  { fairs }: Wanted,
  { range, most }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const rows = await launchRows(db)
    .innerJoin(visibleTokens.as('v'), 'v.id', 't.id')
    .select('v.fair_id')
    .where('t.id', '>', range.after)
    .where('t.id', '<=', range.through)
    .where(isNamed('t.id', { tokens: null, fairs }))
    .orderBy('t.id')
    .limit(most)
    .execute()
  return rows.map((row) => {
    const data = { ...toLaunchEvent(row), ...toFairId(row) }
    return { rowId: row.id, event: { id: `launch-${row.id}`, type: 'launch', timestamp: data.createdAt, data } }
  })
}

/** Where rug pulls are for webhooks: at their causes of notices, which are committed in order, and those of fairs in the journal. */
function placesOfRugs(fairs: Wanted['fairs']) {
  return fairs === null
    ? sql<{ id: number; token_id: number }>`(select id, token_id from notice_causes where kind = 'rug')`
    : sql<{ id: number; token_id: number }>`(select position as id, token_id from rugs)`
}

/** The rug pulls of a range, by place. */
export async function readRugs(
  db: Db,
  { tokenIds: tokens, fairs }: Wanted,
  { range, most }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const rows = await rugRows(db)
    .innerJoin(placesOfRugs(fairs).as('c'), 'c.token_id', 'r.token_id')
    .innerJoin(visibleTokens.as('t'), 't.id', 'r.token_id')
    .select(['c.id', 't.name', 't.symbol', 't.emoji', 't.fair_id'])
    .where('c.id', '>', range.after)
    .where('c.id', '<=', range.through)
    .where(isNamed('r.token_id', { tokens, fairs }))
    .orderBy('c.id')
    .limit(most)
    .execute()
  return rows.map((row) => {
    const { id, name, symbol, emoji } = row
    const data = { ...toRugEvent(row), name, symbol, emoji, ...toFairId(row) }
    return { rowId: id, event: { id: `rug-${row.token_id}`, type: 'rug', timestamp: data.createdAt, data } }
  })
}

/** Starts, ends and results of a range, by place. */
export async function readMoments(
  db: Db,
  { fairs }: Wanted,
  { range, most: limit }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const found = await readFairMoments(db, { ...range, limit, fairs })
  return found.map(({ place, event: data }) => {
    const id = `fair-${data.fairId}-${data.moment}`
    return { rowId: place, event: { id, type: 'fair', timestamp: data.createdAt, data } }
  })
}

/** A player's notices of a range, of every kind, by id. */
export async function readNotices(db: Db, userId: UserId, range: Range, most: number): Promise<FoundEvent[]> {
  const found = await findNoticesAfter(db, [userId], { after: range.after, most })
  return found.filter(({ notice }) => notice.id <= range.through).map(toNoticeEvent)
}

function toNoticeEvent({ notice }: PlayerNotice): FoundEvent {
  const { readAt: _, seal, post, moderation, ...rest } = notice
  const { title, body } = toNoticeText(notice)
  const later = { ...(seal && { seal }), ...(post && { post }), ...(moderation && { moderation }) }
  const { id, kind, createdAt } = notice
  const event = { id: `notice-${id}`, type: `notice.${kind}` as const, timestamp: createdAt }
  return { rowId: id, event: { ...event, data: { ...rest, ...later, title, body } } }
}
