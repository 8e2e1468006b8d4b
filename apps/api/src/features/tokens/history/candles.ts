import { CANDLE_INTERVALS, type CandlesInput, type CandlesPage, type HistoryCandle } from '@papermoon/contract/history'
import type { Db } from '@papermoon/db'
import { type TokenId, TokenNotFoundError } from '@papermoon/engine'
import { sql } from 'kysely'
import { tokenExists } from '../../../database/conditions.ts'
import { type JournalReader, journalQueue } from '../../../database/journal-queue.ts'
import { toCandle } from '../chart/chart.ts'
import { findSeqAt } from '../past/store.ts'
import { type CandleRow, MOVE_AS_CANDLE, mergeCandles, selectMoves } from '../store.ts'
import { findSeqRange, type SeqRange } from './token-trades.ts'

const MINUTE_S = 60
/**
 * Number of events that are first read per wanted candle. As long as candles are missing, the number of events is
 * multiplied by this factor.
 */
const EVENTS_PER_CANDLE = 8
const MORE_EVENTS = 8
/** Max number of events that a page reads. If a page would need more events, it has fewer candles than its limit. */
const EVENTS = 12_000
/** Number of events that count as one read in the rate limit. */
const EVENTS_PER_READ = 250

/** Counts additional reads for the caller, besides the call itself. Throws `RateLimitedError`. */
type SpendReads = (reads: number) => Promise<void>

interface Reader {
  readonly db: Db
  readonly spend: SpendReads
}

/**
 * Reads a page of a token's candles, newest first. Without `spend`, the computation does not count against the rate
 * limit. Throws `TokenNotFoundError` and `BusyError`.
 */
export async function getCandles(
  { app, ip }: JournalReader,
  input: CandlesInput,
  spend: SpendReads = async () => {},
): Promise<CandlesPage> {
  return await journalQueue(ip, () => readCandles({ db: app.platform.db, spend }, input))
}

async function readCandles(reader: Reader, { id, interval, limit, from, ...ends }: CandlesInput): Promise<CandlesPage> {
  const { db } = reader
  const width = CANDLE_INTERVALS[interval]
  const to = earlier(ends.to, ends.cursor)
  const span = { from: from && roundUp(from, width), to: to && roundUp(to, width) }
  if (width < MINUTE_S) return await readTradeCandles(reader, { id, width, limit, ...span })
  const rows = await readStoredCandles(db, { id, width, limit: limit + 1, ...span })
  if (rows.length === 0 && !(await tokenExists(db, id))) throw new TokenNotFoundError()
  return toPage(rows, { limit, hasMore: false })
}

interface Query {
  readonly id: TokenId
  /** Width of the candle in seconds. */
  readonly width: number
  readonly limit: number
  /** First possible start time of a candle. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

/** Returns the first time at or after a time at which a candle can start. */
function roundUp(time: Date, width: number): Date {
  return new Date(Math.ceil(time.getTime() / (width * 1_000)) * width * 1_000)
}

/** A candle with the sequence number of its last event. */
type NumberedRow = CandleRow & { readonly seq: number }

function toHistoryCandle(row: NumberedRow): HistoryCandle {
  return { ...toCandle(row), seq: row.seq }
}

function toPage(
  rows: readonly NumberedRow[],
  { limit, hasMore }: { readonly limit: number; readonly hasMore: boolean },
): CandlesPage {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const isLast = rows.length <= limit && !hasMore
  return {
    candles: page.map(toHistoryCandle),
    nextCursor: isLast || last === undefined ? null : last.time.toISOString(),
  }
}

interface StoredRow extends CandleRow {
  /** Number of trades and rug pulls in the candle. */
  readonly events: number
  /** Sequence number of the token's last event. */
  readonly last_seq: number
  /** Whether the requested range goes beyond the token's last event. */
  readonly has_last: boolean
}

/**
 * Reads stored candles, each with the sequence number of its last event. The number of the newest candle is enough to
 * compute the others, because numbers have no gaps and stored candles count their trades.
 */
async function readStoredCandles(db: Db, query: Query): Promise<NumberedRow[]> {
  const rows = await findStoredCandles(db, query)
  const [newest] = rows
  if (newest === undefined) return []
  const { id, to } = query
  // If a later event exists, events before `to` are final, because the times of a token's events never decrease.
  const isEnd = to === undefined || newest.has_last
  const found = isEnd ? undefined : await findSeqAt(db, id, newest.last_seq, new Date(to.getTime() - 1))
  let seq = found?.seq ?? newest.last_seq
  return rows.map((row) => {
    const numbered = { ...row, seq }
    seq -= row.events
    return numbered
  })
}

async function findStoredCandles(db: Db, { id, width, limit, from, to }: Query): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select c.bucket as time, c.open, c.high, c.low, c.close, c.volume, p.seq as last_seq,
           c.trades + (coalesce(p.rugged_at >= c.bucket and p.rugged_at < c.bucket + make_interval(secs => ${width}), false))::int
             as events,
           ${to === undefined ? sql`true` : sql`p.last_event_at < ${to}`} as has_last
      from (select * from candles
             where token_id = ${id} and width = ${width}
               and ${from === undefined ? sql`true` : sql`bucket >= ${from}`}
               and ${to === undefined ? sql`true` : sql`bucket < ${to}`}
             order by bucket desc limit ${limit}) c
      join pools p on p.token_id = c.token_id
     where exists (select from tokens where id = ${id} and hidden_at is null)
     order by c.bucket desc`.execute(db)
  return rows
}

/**
 * Computes candles from trades. Sequence numbers have no gaps, so their difference is the number of events in a range.
 * The computation counts in the caller's rate limit. Throws `RateLimitedError`.
 */
async function readTradeCandles({ db, spend }: Reader, { id, width, limit, from, to }: Query): Promise<CandlesPage> {
  const range = await findSeqRange(db, id, { from, to })
  let events = Math.min(EVENTS_PER_CANDLE * (limit + 1), EVENTS)
  for (;;) {
    const after = Math.max(range.after, range.last - events)
    const isCut = after > range.after
    const reads = Math.floor((range.last - after) / EVENTS_PER_READ)
    if (reads > 0) await spend(reads)
    const rows = await computeCandles(db, { id, width, limit: limit + 1, isCut, range: { after, last: range.last } })
    const isEnough = rows.length > limit || (rows.length > 0 && events >= EVENTS)
    if (isEnough || !isCut) return toPage(rows, { limit, hasMore: isCut })
    events = events < EVENTS ? Math.min(events * MORE_EVENTS, EVENTS) : events * MORE_EVENTS
  }
}

interface Computation extends Pick<Query, 'id' | 'width' | 'limit'> {
  readonly range: SeqRange
  /** Whether the oldest candle lacks events. An incomplete oldest candle is left out. */
  readonly isCut: boolean
}

/**
 * Computes candles from the events in a range, newest first. Each event becomes a candle from the price before it to
 * the price after it. These candles are merged in the same way as stored candles.
 */
async function computeCandles(db: Db, { id, width, limit, range, isCut }: Computation): Promise<NumberedRow[]> {
  const { after, last } = range
  const bucket = sql`floor(extract(epoch from created_at) / ${width}::int)`
  const { rows } = await sql<NumberedRow>`
    with events as materialized (
      select seq, created_at, spot_price, case side when 'buy' then sol_amount else sol_amount + fee end as volume
        from trades where token_id = ${id} and seq >= ${after} and seq <= ${last}
      union all
      select seq, created_at, 0, 0 from rugs where token_id = ${id} and seq > ${after} and seq <= ${last}
    ), moves as (${selectMoves(id)})
    ${mergeCandles(
      sql`
      select ${MOVE_AS_CANDLE} from moves
       where seq > ${after}
         and (not ${isCut}::boolean
              or ${bucket} > (select ${bucket} from events where seq = ${after} + 1))`,
      width,
      sql`, max(place) as seq`,
    )}
     order by time desc limit ${limit}`.execute(db)
  return rows
}
