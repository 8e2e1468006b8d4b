import type { MarketTradesInput, MarketTradesPage } from '@papermoon/contract/history'
import type { TimeRange } from '@papermoon/contract/times'
import { MARKET_TRADES_MAX, type MarketTrade, marketTrades } from '@papermoon/contract/tokens'
import type { Db } from '@papermoon/db'
import { sql } from 'kysely'
import type { CachedQuery } from '../../../cache/query-cache.ts'
import type { App } from '../../../context.ts'
import { MARKET_TRADE, type MarketTradeRow, toMarketTrade, visibleTokens } from '../../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'

/** Max number of trades that are searched to fill one page. Trades of hidden tokens are left out. */
const SEARCHED_MAX = 20_000

const CHUNK_MIN = 100

const CHUNK_MAX = 5_000

/**
 * Max difference between the clocks of nodes, in ms. Trades are sorted by id, which is the order in which nodes
 * recorded them. The times of trades can therefore be out of order by this difference.
 */
const CLOCKS_APART_MAX_MS = 60_000

type MarketRow = MarketTradeRow & { readonly is_hidden: boolean }

interface IdRange extends TimeRange {
  readonly after: number
  readonly before: number
  readonly limit: number
}

const tapeQuery: CachedQuery<null, MarketTrade[]> = {
  name: 'tape',
  schema: marketTrades,
  key: () => '',
  weight: () => MARKET_TRADES_MAX,
  scope: () => 'market',
  isFresh: () => true,
  // After an event, read the result again, because events lack the token's name and the query is cheap.
  applyEvents: (entries, events) => ({ data: entries, stale: events.some((event) => event.type === 'trade') }),
}

/** Returns at most 20 of the market's newest trades with their tokens, newest first. */
export async function latestMarketTrades(app: App): Promise<MarketTrade[]> {
  return await app.market.queryCache.get(tapeQuery, null, () => findTape(app.platform.db, MARKET_TRADES_MAX))
}

/** Number of the market's newest trades in which to look for visible tokens. */
const TRADES_SEARCHED = 200

/** Finds the newest trades of visible tokens, newest first. */
async function findTape(db: Db, limit: number): Promise<MarketTrade[]> {
  const { rows } = await sql<MarketTradeRow>`
    select ${MARKET_TRADE}
      from (select * from trades order by id desc limit ${TRADES_SEARCHED}) t
      join ${visibleTokens} k on k.id = t.token_id
      join users u on u.id = t.user_id
     order by t.id desc limit ${limit}`.execute(db)
  return rows.map(toMarketTrade)
}

/**
 * Reads a page of trades of all visible tokens, newest first. Each page may have fewer trades than requested, or none.
 */
export async function getMarketTrades({ app, ip }: JournalReader, input: MarketTradesInput): Promise<MarketTradesPage> {
  return await journalQueue(ip, () => readMarketTrades(app, input))
}

async function readMarketTrades({ platform: { db } }: App, input: MarketTradesInput): Promise<MarketTradesPage> {
  const { limit, from, to } = input
  const after = from === undefined ? 0 : await findLastIdBefore(db, shift(from, -CLOCKS_APART_MAX_MS))
  const last = to === undefined ? Number.MAX_SAFE_INTEGER : await findLastIdBefore(db, shift(to, CLOCKS_APART_MAX_MS))
  const trades: MarketTrade[] = []
  let before = Math.min(input.cursor ?? Number.MAX_SAFE_INTEGER, last + 1)
  // Read a larger chunk, because the first ones may contain only trades of hidden tokens.
  let chunk = Math.max(CHUNK_MIN, limit + 1)
  for (let seen = 0; seen < SEARCHED_MAX; seen += chunk, chunk = Math.min(2 * chunk, CHUNK_MAX)) {
    const rows = await findTrades(db, { after, before, limit: chunk, from, to })
    for (const row of rows) {
      if (trades.length === limit) return { trades, nextCursor: before }
      before = row.id
      if (!row.is_hidden) trades.push(toMarketTrade(row))
    }
    if (rows.length < chunk) return { trades, nextCursor: null }
  }
  return { trades, nextCursor: before }
}

function shift(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms)
}

/** Finds trades by id, newest first, including trades of hidden tokens. */
async function findTrades(db: Db, { after, before, limit, from, to }: IdRange): Promise<MarketRow[]> {
  const isWithin = sql`${from === undefined ? sql`true` : sql`created_at >= ${from}`}
    and ${to === undefined ? sql`true` : sql`created_at < ${to}`}`
  const { rows } = await sql<MarketRow>`
    select ${MARKET_TRADE}, k.hidden_at is not null as is_hidden
      from (select * from trades where id > ${after} and id < ${before} and ${isWithin}
             order by id desc limit ${limit}) t
      join tokens k on k.id = t.token_id
      join users u on u.id = t.user_id
     order by t.id desc`.execute(db)
  return rows
}

/** Finds the highest trade id before a time by binary search; 0 if there is none. */
async function findLastIdBefore(db: Db, time: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive search (low, high) as (
      select 0::bigint, coalesce((select max(id) from trades), 0)
      union all
      select case when coalesce(e.created_at < ${time}, true) then m.id else s.low end,
             case when coalesce(e.created_at < ${time}, true) then s.high else e.id - 1 end
        from search s
        cross join lateral (select (s.low + s.high + 1) / 2 as id) m
        left join lateral (select id, created_at from trades where id <= m.id order by id desc limit 1) e on true
       where s.low < s.high
    )
    select low as id from search where low >= high`.execute(db)
  return rows[0]?.id ?? 0
}
