import type { Db, HolderCheckpointsTable } from '@papermoon/db'
import type { TokenId, TradeRow } from '@papermoon/engine'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { IS_BOT, visibleTokens } from '../../../database/conditions.ts'
import { lastDayStart } from '../../../lib/durations.ts'
import { newestTrades, type TokenRow } from '../store.ts'

export const MINUTE_MS = 60_000

export const HOUR_MS = 3_600_000

/** A token with its last sequence number and its rug pull, but without values that change. */
export interface TokenNowRow
  extends Pick<TokenRow, 'id' | 'name' | 'symbol' | 'emoji' | 'description' | 'website' | 'x' | 'telegram'>,
    Pick<TokenRow, 'supply' | 'created_at' | 'creator_id' | 'username' | 'is_bot'> {
  readonly launch_price: string
  readonly last_seq: number
  /** SOL that the rug pull took. This field and the next two are null for an open token. */
  readonly rug_amount: string | null
  readonly rug_seq: number | null
  readonly rugged_at: Date | null
}

/** Finds a visible token; returns undefined if there is none. */
export async function findTokenNow(db: Db, id: TokenId): Promise<TokenNowRow | undefined> {
  const { rows } = await sql<TokenNowRow>`
    select t.id, t.name, t.symbol, t.emoji, t.description, t.website, t.x, t.telegram, t.supply, t.created_at,
           t.creator_id, u.username, ${IS_BOT} as is_bot, t.launch_price, p.seq as last_seq,
           r.amount as rug_amount, r.seq as rug_seq, r.created_at as rugged_at
      from ${visibleTokens} t
      join users u on u.id = t.creator_id
      join pools p on p.token_id = t.id
      left join rugs r on r.token_id = t.id
     where t.id = ${id}`.execute(db)
  return rows[0]
}

/** A position in a token's journal. The position includes all entries up to number `seq`. */
export interface JournalPosition {
  readonly tokenId: TokenId
  readonly seq: number
}

/** Finds the trades of a token up to a sequence number, newest first. */
export async function findTradesUpTo(db: Db, { tokenId, seq }: JournalPosition, limit: number): Promise<TradeRow[]> {
  return await newestTrades(db, tokenId, limit).where('t.seq', '<=', seq).execute()
}

/** Finds the seal that was in force when a token's entry `seq` was written. */
export async function findSealBefore(
  db: Db,
  { tokenId, seq }: JournalPosition,
): Promise<Pick<TokenRow, 'sealed_until' | 'bag_sealed_until' | 'bag_sealed_tokens'>> {
  const row = await db
    .selectFrom('seals')
    .select(['until as sealed_until', 'bag_until as bag_sealed_until', 'bag_tokens as bag_sealed_tokens'])
    .where('token_id', '=', tokenId)
    .where('seq', '<', seq)
    .orderBy('n', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? { sealed_until: null, bag_sealed_until: null, bag_sealed_tokens: '0' }
}

export interface ReservesRow {
  readonly sol_reserve: string
  readonly token_reserve: string
}

interface AfterTradeRow extends ReservesRow {
  readonly spot_price: string
  readonly created_at: Date
}

/** Reads the state of a token right after a trade. */
export async function getTrade(db: Db, { tokenId, seq }: JournalPosition): Promise<AfterTradeRow> {
  const { rows } = await sql<AfterTradeRow>`
    select sol_reserve, token_reserve, spot_price, created_at from trades
     where token_id = ${tokenId} and seq = ${seq}`.execute(db)
  const [trade] = rows
  if (trade === undefined) throw new Error(`token ${tokenId} has no trade ${seq}`)
  return trade
}

/** A checkpoint without its holdings. */
export type CheckpointRow = Omit<Selectable<HolderCheckpointsTable>, 'token_id' | 'holdings'> & {
  readonly holders: number
}

/** Finds the last checkpoint at or before a position; returns undefined if there is none. */
export async function findCheckpoint(db: Db, { tokenId, seq }: JournalPosition): Promise<CheckpointRow | undefined> {
  const { rows } = await sql<CheckpointRow>`
    select seq, octet_length(holdings) / 12 as holders, minute, minute_open, minute_high, minute_low, minute_volume
      from holder_checkpoints where token_id = ${tokenId} and seq <= ${seq} order by seq desc limit 1`.execute(db)
  return rows[0]
}

/** Prices of the trades within one minute. */
export interface MinuteRow {
  /** Sequence number of the first of these trades. The number is null if there were no trades. */
  readonly first_seq: number | null
  readonly high: string | null
  readonly low: string | null
  readonly volume: string
}

/** Sums the trades with a sequence number in (after, seq] that happened at `since` or later. */
export async function sumTrades(
  db: Db,
  { tokenId, seq }: JournalPosition,
  after: number,
  since: Date,
): Promise<MinuteRow> {
  const { rows } = await sql<MinuteRow>`
    select min(seq) as first_seq, max(spot_price) as high, min(spot_price) as low,
           coalesce(sum(case side when 'buy' then sol_amount else sol_amount + fee end), 0) as volume
      from trades
     where token_id = ${tokenId} and seq > ${after} and seq <= ${seq} and created_at >= ${since}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

export interface DayRow {
  /** The token's price 24 hours earlier. The price is null if the token was younger than that. */
  readonly price_24h_ago: string | null
  /** Volume in SOL. The minute that contains `at` is left out. */
  readonly volume: string
}

/** Finds the statistics of the 24 hours before `at`, from candles that were complete then. */
export async function findDayBefore(db: Db, tokenId: TokenId, at: Date): Promise<DayRow> {
  const from = lastDayStart(at)
  const firstHour = new Date(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS)
  const hour = alignToSpan(HOUR_MS, at)
  const minute = alignToSpan(MINUTE_MS, at)
  const candles = (width: number, since: Date, until: Date) => sql`
    select volume from candles
     where token_id = ${tokenId} and width = ${sql.lit(width)} and bucket >= ${since} and bucket < ${until}`
  const { rows } = await sql<DayRow>`
    select (select close from candles
             where token_id = ${tokenId} and width = 60 and bucket < ${from} order by bucket desc limit 1) as price_24h_ago,
           coalesce(sum(volume), 0) as volume
      from (${candles(60, from, firstHour)}
            union all ${candles(3_600, firstHour, hour)}
            union all ${candles(60, hour, minute)}) parts`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate returned no row')
  return row
}

export interface FromCheckpoint extends JournalPosition {
  /** Sequence number of a checkpoint at or before the position; 0 for the launch. */
  readonly checkpoint: number
}

/** SQL for the change of the trader's holding by a trade, in millionths of a token. */
export const sqlMillionths = sql`(case side when 'buy' then token_amount else -token_amount end * 1000000)::bigint`

/** A sequence number of a token, and the time of its event. */
export interface SeqAtRow {
  readonly seq: number
  readonly created_at: Date
}

/** Finds the last entry of a token at or before a time by binary search. */
export async function findSeqAt(db: Db, tokenId: TokenId, lastSeq: number, time: Date): Promise<SeqAtRow | undefined> {
  const { rows } = await sql<SeqAtRow>`
    with recursive search (low, high) as (
      select 0::bigint, ${lastSeq}::bigint
      union all
      select case when e.created_at <= ${time} then m.seq else s.low end,
             case when e.created_at <= ${time} then s.high else m.seq - 1 end
        from search s
        cross join lateral (select (s.low + s.high + 1) / 2 as seq) m
        cross join lateral (${entryAt(tokenId, sql`m.seq`)}) e
       where s.low < s.high
    )
    select s.low as seq, e.created_at from search s cross join lateral (${entryAt(tokenId, sql`s.low`)}) e
     where s.low = s.high`.execute(db)
  return rows[0]
}

/** Returns SQL for the time of a journal entry. An SQL expression gives the number of the entry. */
function entryAt(tokenId: TokenId, seq: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select created_at from trades where token_id = ${tokenId} and seq = ${seq}
    union all
    select created_at from rugs where token_id = ${tokenId} and rugs.seq = ${seq}`
}

/** Returns the start of the period of `ms` that contains a time. All periods are aligned to the epoch. */
export function alignToSpan(ms: number, time: Date): Date {
  return new Date(Math.floor(time.getTime() / ms) * ms)
}
