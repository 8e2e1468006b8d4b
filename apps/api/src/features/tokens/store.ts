import type { Sort } from '@papermoon/contract/tokens'
import { type Db, PREPARED } from '@papermoon/db'
import type { TokenId, TradeRow } from '@papermoon/engine'
import { type RawBuilder, sql } from 'kysely'
import { IS_BOT, visibleTokens } from '../../database/conditions.ts'
import { lastDayStart } from '../../lib/durations.ts'
import type { CandlePlan } from './chart/candle-plan.ts'
import type { Cursor } from './list/cursor.ts'

/** A token with its pool and its statistics of the last 24 hours. */
export interface TokenRow {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly description: string | null
  readonly website: string | null
  readonly x: string | null
  readonly telegram: string | null
  readonly supply: string
  readonly created_at: Date
  readonly creator_id: number
  readonly username: string
  readonly is_bot: boolean
  readonly creator_holding: string
  readonly sol_reserve: string
  readonly virtual_sol: string
  readonly token_reserve: string
  readonly price: string
  readonly seq: number
  readonly last_event_at: Date
  readonly rugged_at: Date | null
  readonly sealed_until: Date | null
  readonly bag_sealed_until: Date | null
  readonly bag_sealed_tokens: string
  readonly price_24h_ago: string
  readonly volume_24h: string
}

/** Finds a visible token. Returns undefined if there is none. The 24-hour statistics end at `now`. */
export async function findToken(db: Db, id: TokenId, now: Date): Promise<TokenRow | undefined> {
  const page = sql`select id as token_id, 1 as place from ${visibleTokens} t where id = ${id}`
  const { rows } = await sql<TokenRow>`${PREPARED}${tokenRows(page, now)}`.execute(db)
  return rows[0]
}

/** Finds the visible tokens with these ids, in the order of `ids`. The 24-hour statistics end at `now`. */
export async function findTokensByIds(db: Db, ids: readonly TokenId[], now: Date): Promise<TokenRow[]> {
  const page = sql`
    select t.id as token_id, wanted.place from unnest(${[...ids]}::int[]) with ordinality wanted (id, place)
      join ${visibleTokens} t on t.id = wanted.id`
  const { rows } = await tokenRows(page, now).execute(db)
  return rows
}

/** A query for one page of tokens. */
export interface PageQuery {
  readonly search: string
  readonly sort: Sort
  /** Whether rugged tokens are left out. */
  readonly hidesRugged: boolean
  readonly limit: number
  readonly after: Cursor | null
  readonly now: Date
}

/** Finds a page of tokens in the order of `sort`. The cost does not grow with the number of tokens. */
export async function findTokens(db: Db, query: PageQuery): Promise<TokenRow[]> {
  const { rows } = await pageRows(query).execute(db)
  return rows
}

/** Returns the SQL query, so that a test can check its plan. */
export function pageRows(query: PageQuery): RawBuilder<TokenRow> {
  return tokenRows(query.search === '' ? selectPage(query) : searchedPage(query), query.now)
}

/** Number of tokens per result that a search scans in order. After that number, the search uses the index of names. */
const WALKED_PER_RESULT = 5
const WALKED_MIN = 1_000

/**
 * Selects a page of a search. If the text is frequent, scanning the tokens in order soon finds enough of them. If the
 * text is not frequent, there are no more matches, or the text is so rare that the index of names can list all of them.
 * Each of the two methods alone would sometimes read the whole table.
 */
function searchedPage(query: PageQuery): RawBuilder<unknown> {
  const { search, limit } = query
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const matches = sql`(t.name ilike ${pattern} or t.symbol ilike ${pattern})`
  // The index has groups of one to three letters, so the text's longest groups are enough.
  const size = sql`least(3, char_length(lower(${search}::text)))`
  const isListed = sql`search_grams(t.name || chr(10) || t.symbol, '{1,2,3}') @> search_grams(${search}::text, array[${size}])`
  const most = Math.max(WALKED_MIN, limit * WALKED_PER_RESULT)
  const walked = selectPage({ ...query, limit: most })
  return sql`
    with near as materialized (
      select token_id, place from (${walked}) t where ${matches} order by place limit ${limit}
    ), index_use as materialized (
      select case when (select count(*) from near) < ${limit}
        then (select count(*) from (${walked}) w) = ${most} else false end as is_needed
    )
    select token_id, place from near where not (select is_needed from index_use)
    union all
    select token_id, place from (${selectPage(query, sql`${isListed} and ${matches}`)}) listed
     where (select is_needed from index_use)`
}

/** Selects the first `limit` matching tokens after the cursor: token_id, place, name and symbol. */
function selectPage({ sort, after, limit, hidesRugged }: PageQuery, matches = sql`true`): RawBuilder<unknown> {
  const { from, key, id, direction, comparison, isOpen } = order[sort]
  const isAfter = after === null ? sql`true` : sql`(${key}, ${id}) ${comparison} (${after.value}, ${after.id})`
  return sql`
    select t.id as token_id, row_number() over (order by ${key} ${direction}, ${id} ${direction}) as place, t.name, t.symbol
      from ${from}
     where ${isAfter} and ${hidesRugged ? isOpen : sql`true`} and ${matches}
     order by ${key} ${direction}, ${id} ${direction} limit ${limit}`
}

// The sort orders use the indexes `tokens (created_at, id)`, `pools (price, token_id)` and `pools (last_event_at,
// token_id)`. The first and the last of these indexes also exist for open tokens alone.
const byTime = {
  from: sql`${visibleTokens} t`,
  key: sql`t.created_at`,
  id: sql`t.id`,
  isOpen: sql`not t.is_rugged`,
}
const ofPools = { from: sql`pools p join ${visibleTokens} t on t.id = p.token_id`, id: sql`p.token_id` }
// To leave out rugged tokens, select prices above 0. Only rugged tokens have the price 0.
const byPrice = { ...ofPools, key: sql`p.price`, isOpen: sql`p.price > 0` }
const byLastEvent = { ...ofPools, key: sql`p.last_event_at`, isOpen: sql`p.rugged_at is null` }
const descending = { direction: sql`desc`, comparison: sql`<` }
const ascending = { direction: sql`asc`, comparison: sql`>` }
const order = {
  newest: { ...byTime, ...descending },
  oldest: { ...byTime, ...ascending },
  'mcap-high': { ...byPrice, ...descending },
  'mcap-low': { ...byPrice, ...ascending },
  'last-trade': { ...byLastEvent, ...descending },
} satisfies Record<Sort, Record<'from' | 'key' | 'id' | 'direction' | 'comparison' | 'isOpen', RawBuilder<unknown>>>

const HOUR_MS = 3_600_000

/**
 * Returns SQL for the tokens of `page` (token_id, place) with their 24-hour statistics. Whole hours come from hour
 * candles, and the first partial hour comes from minute candles. The cost is therefore the same for old tokens.
 */
export function tokenRows(page: RawBuilder<unknown>, now: Date): RawBuilder<TokenRow> {
  const from = lastDayStart(now)
  const firstWholeHour = new Date(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS)
  return sql<TokenRow>`
    select t.id, t.name, t.symbol, t.emoji, t.description, t.website, t.x, t.telegram, t.supply, t.created_at,
           t.creator_id, u.username, ${IS_BOT} as is_bot, coalesce(h.amount, 0) as creator_holding,
           p.sol_reserve, p.virtual_sol, p.token_reserve, p.price, p.seq, p.last_event_at, p.rugged_at,
           p.sealed_until, p.bag_sealed_until, p.bag_sealed_tokens,
           coalesce(ago.close, t.launch_price) as price_24h_ago, coalesce(day.volume, 0) as volume_24h
      from (${page}) page
      join tokens t on t.id = page.token_id
      join users u on u.id = t.creator_id
      join pools p on p.token_id = t.id
      left join holdings h on h.token_id = t.id and h.user_id = t.creator_id
      left join lateral (
        select close from candles where token_id = t.id and width = 60 and bucket < ${from} order by bucket desc limit 1
      ) ago on true
      left join lateral (
        select sum(volume) as volume from (
          select volume from candles where token_id = t.id and width = 3600 and bucket >= ${firstWholeHour}
          union all
          select volume from candles where token_id = t.id and width = 60 and bucket >= ${from} and bucket < ${firstWholeHour}
        ) parts
      ) day on true
     order by page.place`
}

/** Finds the newest trades of a token, newest first. */
export async function findTrades(db: Db, id: TokenId, limit: number): Promise<TradeRow[]> {
  return await newestTrades(db, id, limit).modifyFront(PREPARED).execute()
}

const LISTED = [
  't.id',
  't.token_id',
  't.seq',
  't.user_id',
  't.side',
  't.sol_amount',
  't.fee',
  't.token_amount',
  't.price',
  't.spot_price',
  't.created_at',
] as const

/**
 * Returns the SQL query, so that a test can check its plan. An index contains all columns of `trades` that the query
 * reads.
 */
export function newestTrades(db: Db, id: TokenId, limit: number) {
  return db
    .selectFrom('trades as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .innerJoin(visibleTokens.as('k'), 'k.id', 't.token_id')
    .select(LISTED)
    .select(['u.username', IS_BOT.as('is_bot')])
    .where('t.token_id', '=', id)
    .orderBy('t.seq', 'desc')
    .limit(limit)
}

export interface CandleRow {
  readonly time: Date
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/** Finds the candles of a token, oldest first. The stored candles are merged to the width of the plan. */
export async function findCandles(db: Db, id: TokenId, plan: CandlePlan): Promise<CandleRow[]> {
  const stored = sql`
    select bucket, open, high, low, close, volume, bucket as place
      from candles where token_id = ${id} and width = ${plan.storedWidth} and bucket >= ${plan.since}`
  const { rows } = await sql<CandleRow>`${PREPARED}${mergeCandles(stored, plan.width)} order by time`.execute(db)
  return rows
}

/**
 * Returns SQL for the price before and after each row of `events`, another part of the query. After a rug pull, the
 * price is 0.
 */
export function selectMoves(id: TokenId): RawBuilder<unknown> {
  return sql`
      select seq, created_at, volume, spot_price as after,
             coalesce(lag(spot_price) over (order by seq),
                      case seq when 1 then (select launch_price from tokens where id = ${id}) end) as before
        from events`
}

/** SQL that converts a row of `selectMoves` to a candle for `mergeCandles`. */
export const MOVE_AS_CANDLE: RawBuilder<unknown> = sql`
  created_at as bucket, before as open, greatest(before, after) as high, least(before, after) as low, after as close,
  volume, seq as place`

/**
 * Returns SQL that merges candles to a width in seconds. The query `parts` has the columns bucket, open, high, low,
 * close, volume, and place. The parts of one candle are sorted by place. The text `more` contains further columns, each
 * after a comma.
 */
export function mergeCandles(parts: RawBuilder<unknown>, width: number, more = sql``): RawBuilder<CandleRow> {
  return sql<CandleRow>`
    select to_timestamp(floor(extract(epoch from bucket) / ${width}::int) * ${width}::int) as time,
           (array_agg(open order by place))[1] as open, max(high) as high, min(low) as low,
           (array_agg(close order by place desc))[1] as close, sum(volume) as volume${more}
      from (${parts}) parts
     group by 1`
}
