import type { WebhookEventName } from '@papermoon/contract/webhooks'
import type { Database } from '@papermoon/db'
import type { TokenId, UserId } from '@papermoon/engine'
import { toNoticeText } from '@papermoon/format/notice-text'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../../database/visible-tokens.ts'
import {
  launchRows,
  rugRows,
  toLaunchEvent,
  toMarketTradeEvent,
  toRugEvent,
  tradeRows,
} from '../../../../events/journal.ts'
import { findNoticesAfter, type PlayerNotice } from '../../../../notices/read-notices.ts'
import type { WebhookEvent } from './events.ts'

type Db = Kysely<Database>

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
    .select(['k.name', 'k.symbol', 'k.emoji'])
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
    const data = { ...event.trade, ...event, name, symbol, emoji }
    const key = `${data.tokenId}-${data.seq}`
    const made: FoundEvent[] = []
    const timestamp = data.createdAt
    if (row.is_trade) made.push({ rowId: row.id, event: { id: `trade-${key}`, type: 'trade', timestamp, data } })
    if (row.is_fill) made.push({ rowId: row.id, event: { id: `fill-${key}`, type: 'fill', timestamp, data } })
    return made
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

function marketMatch({ events, tokenIds }: Wanted): RawBuilder<boolean> {
  if (!events.includes('trade')) return sql<boolean>`false`
  return tokenIds === null ? sql<boolean>`true` : sql<boolean>`(t.token_id = any(${[...tokenIds]}::int[]))`
}

function fillMatch({ events, userId }: Wanted): RawBuilder<boolean> {
  return events.includes('fill') ? sql<boolean>`(t.user_id = ${userId}::int)` : sql<boolean>`false`
}

/** The launches of a range, by token id. */
export async function readLaunches(db: Db, range: Range, most: number): Promise<FoundEvent[]> {
  const rows = await launchRows(db)
    .innerJoin(visibleTokens.as('v'), 'v.id', 't.id')
    .where('t.id', '>', range.after)
    .where('t.id', '<=', range.through)
    .orderBy('t.id')
    .limit(most)
    .execute()
  return rows.map((row) => {
    const data = toLaunchEvent(row)
    return { rowId: row.id, event: { id: `launch-${row.id}`, type: 'launch', timestamp: data.createdAt, data } }
  })
}

/** The rug pulls whose causes of notices are in a range, by cause. */
export async function readRugs(
  db: Db,
  { tokenIds }: Wanted,
  { range, most }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const rows = await rugRows(db)
    .innerJoin('notice_causes as c', 'c.token_id', 'r.token_id')
    .innerJoin(visibleTokens.as('t'), 't.id', 'r.token_id')
    .select(['c.id', 't.name', 't.symbol', 't.emoji'])
    .where('c.kind', '=', 'rug')
    .where('c.id', '>', range.after)
    .where('c.id', '<=', range.through)
    .$if(tokenIds !== null, (query) => query.where('c.token_id', 'in', tokenIds ?? []))
    .orderBy('c.id')
    .limit(most)
    .execute()
  return rows.map((row) => {
    const { id, name, symbol, emoji } = row
    const data = { ...toRugEvent(row), name, symbol, emoji }
    return { rowId: id, event: { id: `rug-${row.token_id}`, type: 'rug', timestamp: data.createdAt, data } }
  })
}

/** A player's notices of a range, of every kind, by id. */
export async function readNotices(db: Db, userId: UserId, range: Range, most: number): Promise<FoundEvent[]> {
  const found = await findNoticesAfter(db, [userId], { after: range.after, most })
  return found.filter(({ notice }) => notice.id <= range.through).map(toNoticeEvent)
}

function toNoticeEvent({ notice: { readAt: _, seal, ...rest } }: PlayerNotice): FoundEvent {
  const notice = { ...rest, seal }
  const { title, body } = toNoticeText(notice)
  const { id, kind, createdAt } = notice
  const event = { id: `notice-${id}`, type: `notice.${kind}` as const, timestamp: createdAt }
  return { rowId: id, event: { ...event, data: { ...rest, ...(kind === 'seal' && { seal }), title, body } } }
}
