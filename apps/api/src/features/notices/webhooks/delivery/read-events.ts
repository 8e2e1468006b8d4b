import type { Database } from '@papermoon/db'
import type { TokenId, TradeRow, UserId } from '@papermoon/engine'
import { toNoticeText } from '@papermoon/format/notice-text'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { visibleTokens } from '../../../../database/visible-tokens.ts'
import { toLaunchEvent, toMarketTradeEvent, toRugEvent } from '../../../../events/journal.ts'
import type { TokenNames } from '../../../../events/named-events.ts'
import { findNoticesAfter, type PlayerNotice } from '../../../../notices/read-notices.ts'
import { IS_BOT } from '../../../../players/is-bot.ts'
import type { WebhookEventName } from '../event-names.ts'
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
  const { rows } = await sql<JournalTrade & TokenNames & Matches>`
    select t.*, u.username, ${IS_BOT} as is_bot, k.name, k.symbol, k.emoji,
           ${marketMatch(wanted)} as is_trade, ${fillMatch(wanted)} as is_fill
      from trades t join users u on u.id = t.user_id join ${visibleTokens} k on k.id = t.token_id
     where t.id > ${range.after} and t.id <= ${range.through} and t.created_at >= ${since}
       and (${marketMatch(wanted)} or ${fillMatch(wanted)})
     order by t.id limit ${most}`.execute(db)
  return rows.flatMap((row) => {
    const { name, symbol, emoji } = row
    const { holding: _, ...event } = toMarketTradeEvent({ ...row, holding: null })
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

type JournalTrade = TradeRow & {
  readonly sol_reserve: string
  readonly token_reserve: string
}

interface Matches {
  readonly is_trade: boolean
  readonly is_fill: boolean
}

/** The launches of a range, by token id. */
export async function readLaunches(db: Db, range: Range, most: number): Promise<FoundEvent[]> {
  const { rows } = await sql<TokenNames & LaunchRow>`
    select t.id, t.name, t.symbol, t.emoji, t.created_at, t.creator_id, u.username, ${IS_BOT} as is_bot
      from ${visibleTokens} t join users u on u.id = t.creator_id
     where t.id > ${range.after} and t.id <= ${range.through} order by t.id limit ${most}`.execute(db)
  return rows.map((row) => {
    const data = toLaunchEvent(row)
    return { rowId: row.id, event: { id: `launch-${row.id}`, type: 'launch', timestamp: data.createdAt, data } }
  })
}

interface LaunchRow {
  readonly id: number
  readonly created_at: Date
  readonly creator_id: number
  readonly username: string
  readonly is_bot: boolean
}

/** The rug pulls whose causes of notices are in a range, by cause. */
export async function readRugs(
  db: Db,
  { tokenIds }: Wanted,
  { range, most }: { readonly range: Range; readonly most: number },
): Promise<FoundEvent[]> {
  const isWanted = tokenIds === null ? sql`true` : sql`c.token_id = any(${[...tokenIds]}::int[])`
  const { rows } = await sql<TokenNames & RugRow>`
    select c.id, r.token_id, r.seq, r.user_id, r.amount, r.created_at, t.name, t.symbol, t.emoji, u.username, ${IS_BOT} as is_bot
      from notice_causes c join rugs r on r.token_id = c.token_id join ${visibleTokens} t on t.id = r.token_id
      join users u on u.id = r.user_id
     where c.kind = 'rug' and c.id > ${range.after} and c.id <= ${range.through} and ${isWanted}
     order by c.id limit ${most}`.execute(db)
  return rows.map((row) => {
    const { id, name, symbol, emoji } = row
    const data = { ...toRugEvent(row), name, symbol, emoji }
    return { rowId: id, event: { id: `rug-${row.token_id}`, type: 'rug', timestamp: data.createdAt, data } }
  })
}

interface RugRow {
  readonly id: number
  readonly token_id: number
  readonly seq: number
  readonly user_id: number
  readonly username: string
  readonly is_bot: boolean
  readonly amount: string
  readonly created_at: Date
}

/** A player's notices of a range, of every kind, by id. */
export async function readNotices(db: Db, userId: UserId, range: Range, most: number): Promise<FoundEvent[]> {
  const found = await findNoticesAfter(db, [userId], { after: range.after, most })
  return found.filter(({ notice }) => notice.id <= range.through).map(toNoticeEvent)
}

function toNoticeEvent({ notice: { readAt: _, ...notice } }: PlayerNotice): FoundEvent {
  const { title, body } = toNoticeText(notice)
  const { id, kind, createdAt } = notice
  const event = { id: `notice-${id}`, type: `notice.${kind}` as const, timestamp: createdAt }
  return { rowId: id, event: { ...event, data: { ...notice, title, body } } }
}
