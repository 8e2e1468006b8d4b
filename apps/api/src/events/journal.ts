import { Decimal, launchPool, solText } from '@papermoon/amm'
import type { FairEvent, StreamEvent as OfMarkets, TradeEvent } from '@papermoon/contract/market-events'
import type { PostEvent } from '@papermoon/contract/posts'
import type { OrderEvent } from '@papermoon/contract/waiting-orders'
import { type Db, formatNumeric, type SealsTable } from '@papermoon/db'
import {
  type RugPullEvent,
  type SealEvent,
  type TokenId,
  type TokenLaunchedEvent,
  type TradeRow,
  toSeal,
  toTrade,
  toTradeEvent,
  toWaitingChange,
  toWaitingView,
  type UserId,
  type WaitingChange,
} from '@papermoon/engine'
import { type InferResult, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { IS_BOT } from '../database/conditions.ts'

/** Events that listeners of the event stream can receive. Posts are sent only in the stream. */
export type StreamEvent = OfMarkets | PostEvent | OwnOrderEvent

/** An event of a player's own order. Only that player receives the event, without `userId`. */
export type OwnOrderEvent = OrderEvent & { readonly userId: UserId }

/**
 * Returns the journal's last position. All events up to this position are committed, because positions follow the order
 * of commits.
 */
export async function readPosition(db: Db): Promise<number> {
  const { position } = await db.selectFrom('journal').select('position').executeTakeFirstOrThrow()
  return position
}

/** Data that the journal poll reads every second in one statement. */
export interface JournalNews {
  readonly position: number
  /** Tokens that an operator has hidden. */
  readonly hidden: readonly number[]
  /**
   * Changes to how players appear within the last 5 minutes: deleted accounts, and accounts that became bots or people.
   * The text differs for every change. When the text changes, caches that may contain players are cleared.
   */
  readonly playerChanges: readonly string[]
}

export async function readNews(db: Db): Promise<JournalNews> {
  const { rows } = await sql<JournalNews>`
    select position,
      array(select id from tokens where hidden_at is not null) as hidden,
      array(
        select 'deleted ' || id from users where deleted_at > now() - interval '5 minutes'
        union all
        select concat('bot ', user_id, ' ', since) from bot_spans where since > now() - interval '5 minutes'
        union all
        select concat('player ', user_id, ' ', until) from bot_spans where until > now() - interval '5 minutes'
      ) as "playerChanges"
      from journal`.execute(db)
  const [news] = rows
  if (news === undefined) throw new Error('the journal has no position')
  return news
}

/** Returns SQL for whether a column contains one of these tokens, in one of these fairs. */
export function isNamed(column: string, { tokens = null, fairs = null }: Pick<JournalRange, 'tokens' | 'fairs'>) {
  const id = sql.ref(column)
  const isToken = tokens === null ? sql`true` : sql`${id} = any(${[...tokens]}::int[])`
  const isOfFair =
    fairs === null ? sql`true` : sql`${id} in (select id from tokens where fair_id = any(${[...fairs]}::int[]))`
  return sql<SqlBool>`${isToken} and ${isOfFair}`
}

export function tradeRows(db: Db) {
  return db
    .selectFrom('trades as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('holdings as h', (join) =>
      join.onRef('h.token_id', '=', 't.token_id').onRef('h.user_id', '=', 't.user_id'),
    )
    .selectAll('t')
    .select(['u.username', IS_BOT.as('is_bot'), 'h.amount as holding'])
}

/** `holding` is the trader's current holding, so it is correct only for the last trade of that trader. */
export function toMarketTradeEvent(
  row: TradeRow & { sol_reserve: string; token_reserve: string; holding: string | null },
): TradeEvent {
  const pool = { ...launchPool(), sol: new Decimal(row.sol_reserve), tokens: new Decimal(row.token_reserve) }
  const paid = new Decimal(row.sol_amount)
  return toTradeEvent(toTrade(row), {
    pool,
    spotPrice: new Decimal(row.spot_price),
    volume: solText(row.side === 'buy' ? paid : paid.add(row.fee)),
    holding: formatNumeric(row.holding ?? '0'),
  })
}

function launchRows(db: Db) {
  return db
    .selectFrom('tokens as t')
    .innerJoin('users as u', 'u.id', 't.creator_id')
    .select(['t.id', 't.name', 't.symbol', 't.emoji', 't.creator_id', 't.position'])
    .select(['t.created_at', 'u.username', IS_BOT.as('is_bot')])
}

type LaunchRow = InferResult<ReturnType<typeof launchRows>>[number]

function toLaunchEvent(row: LaunchRow): TokenLaunchedEvent {
  const { name, symbol, emoji } = row
  const creator = { id: row.creator_id as UserId, username: row.username, isBot: row.is_bot }
  const createdAt = row.created_at.toISOString()
  return { type: 'token_launched', tokenId: row.id as TokenId, seq: 0, name, symbol, emoji, creator, createdAt }
}

export function rugRows(db: Db) {
  return db
    .selectFrom('rugs as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .selectAll('r')
    .select(['u.username', IS_BOT.as('is_bot')])
}

type RugRow = InferResult<ReturnType<typeof rugRows>>[number]

export function toRugEvent(row: RugRow): RugPullEvent {
  return {
    type: 'rug_pull',
    tokenId: row.token_id as TokenId,
    seq: row.seq,
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
    amount: formatNumeric(row.amount),
    createdAt: row.created_at.toISOString(),
  }
}

/** An event, and its position in the journal. */
export interface PlacedEvent<Event extends StreamEvent = StreamEvent> {
  readonly place: number
  readonly event: Event
}

/** The events after a position, up to `through`, in order. */
export interface JournalPage {
  readonly events: readonly PlacedEvent[]
  readonly through: number
}

/**
 * The journal positions to read: after `after`, up to `through` or to the end. At most `limit` events are read, in
 * order. If the filter is null or absent, it matches everything.
 */
export interface JournalRange {
  readonly after: number
  readonly through?: number
  readonly limit?: number | null
  readonly tokens?: readonly number[] | null
  readonly fairs?: readonly number[] | null
  /** The player whose orders are read. */
  readonly player?: number | null
  /** An additional SQL condition. */
  readonly only?: RawBuilder<SqlBool>
}

/** Returns SQL for whether a row's position and token are in the range. */
function isIn(place: string, token: string, { after, through, only, ...named }: JournalRange) {
  const at = sql.ref(place)
  const isBefore = through === undefined ? sql`true` : sql`${at} <= ${through}`
  return sql<SqlBool>`${at} > ${after} and ${isBefore} and ${isNamed(token, named)} and ${only ?? sql`true`}`
}

/** Reads trades in a range; `only` may refer to the trade `t`. */
export async function readTrades(db: Db, range: JournalRange): Promise<PlacedEvent<TradeEvent>[]> {
  const isWanted = isIn('t.id', 't.token_id', range)
  const rows = await tradeRows(db)
    .where(isWanted)
    .orderBy('t.id')
    .limit(range.limit ?? null)
    .execute()
  return rows.map((row) => ({ place: row.id, event: toMarketTradeEvent(row) }))
}

export async function readRugs(db: Db, range: JournalRange): Promise<PlacedEvent<RugPullEvent>[]> {
  const isWanted = isIn('r.position', 'r.token_id', range)
  const rows = await rugRows(db)
    .where(isWanted)
    .orderBy('r.position')
    .limit(range.limit ?? null)
    .execute()
  return rows.map((row) => ({ place: row.position ?? 0, event: toRugEvent(row) }))
}

/** Reads launches in a range; `only` may refer to the token `t`. */
export async function readLaunches(db: Db, range: JournalRange): Promise<PlacedEvent<TokenLaunchedEvent>[]> {
  const isWanted = isIn('t.position', 't.id', range)
  const rows = await launchRows(db)
    .where(isWanted)
    .orderBy('t.position')
    .limit(range.limit ?? null)
    .execute()
  return rows.map((row) => ({ place: row.position ?? 0, event: toLaunchEvent(row) }))
}

/** Reads the starts and ends of seals. */
export async function readSeals(
  db: Db,
  { after, through = Number.MAX_SAFE_INTEGER, limit = null, tokens = null, fairs = null }: JournalRange,
): Promise<PlacedEvent<SealEvent>[]> {
  const isWanted = isNamed('token_id', { tokens, fairs })
  const { rows } = await sql<SealEventRow>`
    select s.*, u.username, ${IS_BOT} as is_bot from (
      (select *, position as place, false as is_end from seals
        where position > ${after} and position <= ${through} and ${isWanted} order by position limit ${limit})
      union all
      (select *, ended_position, true from seals
        where ended_position > ${after} and ended_position <= ${through} and ${isWanted}
        order by ended_position limit ${limit})
    ) s join users u on u.id = s.user_id order by place limit ${limit}`.execute(db)
  return rows.map((row) => ({ place: row.place, event: toSealEvent(row) }))
}

type SealEventRow = Selectable<SealsTable> & {
  readonly place: number
  readonly is_end: boolean
  readonly username: string
  readonly is_bot: boolean
}

function toSealEvent(row: SealEventRow): SealEvent {
  return {
    type: 'seal',
    tokenId: row.token_id as TokenId,
    kind: row.is_end ? 'expired' : row.kind,
    number: row.n,
    seq: row.seq,
    userId: row.user_id as UserId,
    username: row.username,
    isBot: row.is_bot,
    seal: toSeal(row),
    createdAt: (row.is_end ? row.until : row.created_at).toISOString(),
  }
}

export type PlacedOrder = PlacedEvent<OwnOrderEvent>

/** Reads orders whose last change is in the range, with their current state. */
export async function readOrderEvents(
  db: Db,
  { after, through = Number.MAX_SAFE_INTEGER, limit = null, tokens = null, fairs = null, player = null }: JournalRange,
): Promise<PlacedOrder[]> {
  const { rows } = await sql<{ readonly position: number; readonly fill: OrderEvent['fill'] }>`
    select w.*, (select json_build_object('seq', t.seq, 'price', trim_scale(t.price)::text,
             'solAmount', trim_scale(t.sol_amount)::text, 'tokenAmount', trim_scale(t.token_amount)::text)
             from trades t where ${isLastFill}) as fill
      from waiting_orders w
     where position > ${after} and position <= ${through} and ${isNamed('token_id', { tokens, fairs })}
       and (${player === null} or user_id = ${player}::int)
     order by position limit ${limit}`.execute(db)
  return rows.map((row) => toPlacedOrder({ ...toWaitingChange(row), place: row.position, fill: row.fill }))
}

/**
 * SQL for whether a trade `t` is the fill that changed an order `w` last. The trade's position is higher than the
 * order's.
 */
export const isLastFill = sql<SqlBool>`t.user_id = w.user_id
  and t.request_key = 'order ' || w.id || ' fill ' || w.fills and t.id > w.position`

interface ChangedOrder extends WaitingChange {
  readonly place: number
  readonly fill: OrderEvent['fill']
}

export function toPlacedOrder({ place, fill: trade, ...change }: ChangedOrder): PlacedOrder {
  const { tokenId, owner } = change.order
  // Freeze the event, because all subscribers share it.
  const fill = trade && {
    seq: trade.seq,
    price: trade.price,
    solAmount: trade.solAmount,
    tokenAmount: trade.tokenAmount,
  }
  const order = toWaitingView(change)
  const event = { type: 'order', tokenId, version: place, fill, order, userId: owner.userId } as const
  return { place, event: Object.freeze(event) }
}

/** Starts, ends and results of fairs. */
export async function readFairMoments(
  db: Db,
  { after, through = Number.MAX_SAFE_INTEGER, limit = null, fairs = null }: JournalRange,
): Promise<PlacedEvent<FairEvent>[]> {
  const { rows } = await sql<MomentRow>`
    select m.*, f.name, f.note, case when m.moment = 'settled' then (
             select json_agg(json_build_object('place', r.place, 'userId', r.user_id, 'username', u.username,
                      'isBot', r.is_bot, 'score', r.score::text) order by r.place, r.user_id)
               from fair_results r join users u on u.id = r.user_id
              where r.fair_id = m.fair_id and r.place <= 3 and r.is_ranked
           ) end as podium
      from fair_moments m join fairs f on f.id = m.fair_id
     where m.position > ${after} and m.position <= ${through}
       and (${fairs === null} or m.fair_id = any(${[...(fairs ?? [])]}::int[]))
     order by m.position limit ${limit}`.execute(db)
  return rows.map(({ position, fair_id: fairId, moment, name, note, podium, created_at: at }) => ({
    place: position,
    event: {
      type: 'fair',
      moment,
      fairId,
      name,
      note,
      podium: (podium ?? []).map((entrant) => ({ ...entrant, score: formatNumeric(entrant.score) })),
      createdAt: at.toISOString(),
    },
  }))
}

type MomentRow = Pick<FairEvent, 'moment' | 'name' | 'note'> & {
  readonly position: number
  readonly fair_id: number
  readonly podium: FairEvent['podium'] | null
  readonly created_at: Date
}
