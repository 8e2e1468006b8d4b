import { computeMarketCap, Decimal, priceText } from '@papermoon/amm'
import {
  type FoundToken,
  PLAYERS_MAX,
  type SearchInput,
  type SearchResult,
  TOKENS_MAX,
} from '@papermoon/contract/search'
import { type Db, formatNumeric } from '@papermoon/db'
import { type RawBuilder, sql } from 'kysely'
import type { App } from '../../context.ts'
import { IS_BOT, visibleTokens } from '../../database/conditions.ts'

/** Finds tokens and players by a part of the name. */
export async function searchEverything({ platform: { db } }: App, { query }: SearchInput): Promise<SearchResult> {
  const [tokens, players] = await Promise.all([
    findTokensByName(db, query, TOKENS_MAX),
    findPlayersByName(db, query, PLAYERS_MAX),
  ])
  return { tokens: tokens.map(toFoundToken), players }
}

function toFoundToken({ price, rugged_at, ...token }: FoundTokenRow): FoundToken {
  return {
    ...token,
    currentPrice: formatNumeric(price),
    marketCap: priceText(computeMarketCap(new Decimal(price))),
    ruggedAt: rugged_at?.toISOString() ?? null,
  }
}

type FoundTokenRow = Pick<FoundToken, 'id' | 'name' | 'symbol' | 'emoji'> & {
  readonly price: string
  readonly rugged_at: Date | null
}

/** Number of tokens that a search scans in the order of market caps before it uses the indexes. */
const WALKED = 1_000
/** Max number of tokens that an index may add to one rank. If an index finds more tokens, only the first ones count. */
const LISTED_MAX = 5_000
/** Max number of usernames that a search scans for a text inside them. */
const NAMES_MAX = 200_000

/**
 * Finds the first `limit` visible tokens with `text` in their symbol or name, sorted by rank and then by price. Rank 0
 * means that the symbol equals the text. Rank 1 means that the symbol or name begins with the text. Rank 2 contains all
 * other tokens. Sorting by price is enough, because all tokens have the same supply, and a rugged token has the price
 * 0. A frequent text occurs in the most valuable tokens, so they are scanned first. If the scan does not fill a rank,
 * matches are so rare that an index can list them, as in the token list's search.
 */
export async function findTokensByName(db: Db, text: string, limit: number): Promise<FoundTokenRow[]> {
  const { whole, prefix, inside } = toPatterns(text)
  const symbol = sql`lower(t.symbol) collate "C"`
  const name = sql`lower(t.name) collate "C"`
  const rank = sql`case when ${symbol} = ${whole} then 0
    when ${symbol} like ${prefix} or ${name} like ${prefix} then 1 else 2 end`
  const isShort = (ranks: number) => sql`(select count(*) from near where rank < ${ranks}) < ${limit}`
  const size = sql`least(3, char_length(${whole}))`
  const isListed = sql`search_grams(t.name || chr(10) || t.symbol, '{1,2,3}') @> search_grams(${whole}, array[${size}])`
  const best = sql`order by rank, price desc, id desc limit ${limit}`
  const { rows } = await sql<FoundTokenRow>`
    with near as materialized (
      select t.id, ${rank} as rank, p.price
        from (select token_id, price from pools order by price desc, token_id desc limit ${WALKED}) p
       cross join lateral ${lookUp(sql`p.token_id`)} t
       where ${symbol} like ${inside} or ${name} like ${inside}
    ), listed as (
      select id from (select id from ${visibleTokens} t where ${symbol} = ${whole} and ${isShort(1)} limit ${LISTED_MAX}) a
      union
      select id from (select id from ${visibleTokens} t where ${symbol} like ${prefix} and ${isShort(2)} limit ${LISTED_MAX}) b
      union
      select id from (select id from ${visibleTokens} t where ${name} like ${prefix} and ${isShort(2)} limit ${LISTED_MAX}) c
      union
      select id from (
        select id from ${visibleTokens} t
         where ${isListed} and (${symbol} like ${inside} or ${name} like ${inside}) and ${isShort(3)} limit ${LISTED_MAX}
      ) d
    ), found as (
      (select id, rank, price from near ${best})
      union
      (select t.id, ${rank} as rank, p.price
         from listed cross join lateral ${lookUp(sql`listed.id`)} t
        cross join lateral (select price from pools where token_id = t.id limit 1) p ${best})
    )
    select t.id, t.name, t.symbol, t.emoji, p.price, p.rugged_at
      from (select id, rank, price from found ${best}) f join tokens t using (id) join pools p on p.token_id = t.id
     order by f.rank, f.price desc, f.id desc`.execute(db)
  return rows
}

/** Returns SQL for a visible token with a certain id. The limit keeps PostgreSQL from a full scan. */
function lookUp(id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select t.id, t.name, t.symbol from ${visibleTokens} t where t.id = ${id} limit 1)`
}

/**
 * Finds the first `limit` players whose username begins with `text`, then those whose username contains it, each in the
 * order of the index `users_name`. Reads only from this index, which does not contain deleted accounts.
 */
export async function findPlayersByName(db: Db, text: string, limit: number): Promise<SearchResult['players']> {
  const { prefix, inside } = toPatterns(text)
  const name = sql`lower(username) collate "C"`
  const { rows } = await sql<SearchResult['players'][number]>`
    with beginning as materialized (
      select id, 0 as rank, ${name} as name from users
       where deleted_at is null and ${name} like ${prefix} order by ${name}, id limit ${limit}
    ), containing as (
      select id, 1 as rank, name
        from (select id, ${name} as name from users where deleted_at is null order by ${name}, id limit ${NAMES_MAX}) u
       where (select count(*) from beginning) < ${limit} and name like ${inside} and name not like ${prefix}
       limit ${limit}
    ), found as (select * from beginning union all select * from containing)
    select u.id, u.username, ${IS_BOT} as "isBot", u.emoji, u.profile_picture_url as "profilePictureUrl"
      from (select * from found order by rank, name, id limit ${limit}) f join users u using (id)
     order by f.rank, f.name, f.id`.execute(db)
  return rows
}

/** Returns a text in lower case, both unchanged and as LIKE patterns in which its wildcards are escaped. */
function toPatterns(text: string) {
  const escaped = text.replace(/[\\%_]/g, '\\$&')
  return {
    whole: sql`lower(${text}::text)`,
    prefix: sql`lower(${`${escaped}%`}::text)`,
    inside: sql`lower(${`%${escaped}%`}::text)`,
  }
}
