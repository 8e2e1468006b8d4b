import type { ProcedurePath } from '@papermoon/contract'
import { fairTradesInput, rankingInput } from '@papermoon/contract/fairs'
import { CANDLES_PAGE_MAX, candlesInput, marketTradesInput } from '@papermoon/contract/history'
import { findNextTradeCursor, holdersInput, listInput, tokenTradesInput } from '@papermoon/contract/tokens'
import { listWaitingInput } from '@papermoon/contract/waiting-orders'
import { NotSignedInError, type UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { JournalReader } from '../../../database/journal-queue.ts'
import { readRanking } from '../../../features/fairs/ranking.ts'
import { getFair } from '../../../features/fairs/store.ts'
import { getFairTrades } from '../../../features/fairs/trades.ts'
import { getCandles } from '../../../features/tokens/history/candles.ts'
import { getHolders, readAllHolders } from '../../../features/tokens/history/holder-pages.ts'
import { getTokenTrades } from '../../../features/tokens/history/token-trades.ts'
import { readTokens } from '../../../features/tokens/list/list.ts'
import { getMarketTrades } from '../../../features/tokens/list/market-trades.ts'
import { listWaiting } from '../../../features/trading/waiting/waiting-orders.ts'
import type { Column } from './formats.ts'

export type Rows = readonly Readonly<Record<string, unknown>>[]

/** A list that can be streamed from the first to the last row. */
export interface RowStream {
  readonly name: string
  readonly columns: readonly Column[]
  /** The property of the JSON response that contains the rows. If absent, the response itself is the list. */
  readonly property?: string
  /**
   * Returns the fair to which the rows belong. The name of the fair becomes a part of the file name. The CSV file gets
   * a byte order mark, because players open it in a spreadsheet.
   */
  readonly fairOf?: (input: unknown) => number
  /** Whether the rows belong to the caller. If so, the file is not compressed. */
  readonly isOwn?: true
  /** Reads the rows in pages, in the order of the JSON pages; `input` is already validated. */
  open(reader: JournalReader & { readonly userId: UserId | null }, input: unknown): AsyncGenerator<Rows>
}

/** Number of rows per page. This number suits both the event loop and the database. */
const PAGE = 500

const plain = (...names: readonly string[]): Column[] => names.map((name) => ({ name }))
const text = (...names: readonly string[]): Column[] => names.map((name) => ({ name, isText: true }))

const TRADE: readonly Column[] = [
  ...plain(
    'id',
    'tokenId',
    'seq',
    'side',
    'solAmount',
    'fee',
    'tokenAmount',
    'price',
    'spotPrice',
    'createdAt',
    'userId',
  ),
  ...text('username'),
  ...plain('isBot'),
]

const tokens: RowStream = {
  name: 'tokens',
  columns: [
    ...plain('id'),
    ...text('name', 'symbol', 'emoji', 'description', 'website', 'x', 'telegram'),
    ...plain('supply', 'currentPrice', 'priceChange24h', 'price24hAgo', 'volume24h', 'marketCap', 'createdAt'),
    ...plain('creator.id'),
    ...text('creator.username'),
    ...plain('creator.isBot', 'creatorHolding', 'pool.solReserve', 'pool.tokenReserve', 'pool.realSol'),
    ...plain('seq', 'lastEventAt', 'totalTrades', 'ruggedAt'),
    ...plain('seal.liquidityUntil', 'seal.bagUntil', 'seal.bagTokens'),
  ],
  async *open(reader, given) {
    const input = withoutDefault(listInput, given)
    yield* readPages({ ...input, cursor: input.cursor ?? undefined }, async (cursor: string | undefined, limit) => {
      const { tokens: rows, nextCursor } = await readTokens(reader, { ...input, cursor, limit })
      return { rows, nextCursor }
    })
  },
}

const tokenTrades: RowStream = {
  name: 'trades',
  columns: TRADE,
  async *open(reader, given) {
    const input = tokenTradesInput.parse(given)
    yield* readPages(input, async (cursor: number | undefined, limit) => {
      const rows = await getTokenTrades(reader, { ...input, cursor, limit })
      return { rows, nextCursor: findNextTradeCursor(rows, limit) }
    })
  },
}

const marketTrades: RowStream = {
  name: 'trades',
  columns: [...TRADE, ...text('tokenName', 'tokenSymbol', 'emoji')],
  async *open(reader, given) {
    const input = withoutDefault(marketTradesInput, given)
    yield* readPages(input, async (cursor: number | undefined, limit) => {
      const { trades: rows, nextCursor } = await getMarketTrades(reader, { ...input, cursor, limit })
      return { rows, nextCursor }
    })
  },
}

const holders: RowStream = {
  name: 'holders',
  columns: [...plain('rank', 'userId'), ...text('username'), ...plain('isBot', 'amount')],
  async *open(reader, given) {
    const input = holdersInput.parse(given)
    if (input.limit !== undefined || input.cursor !== undefined) yield await getHolders(reader, input)
    else yield* readAllHolders(reader, input.id)
  },
}

const candles: RowStream = {
  name: 'candles',
  columns: plain('time', 'open', 'high', 'low', 'close', 'volume', 'seq'),
  async *open(reader, given) {
    const { cursor, ...input } = withoutDefault(candlesInput, given)
    const first = cursor?.toISOString()
    yield* readPages({ ...input, cursor: first }, async (before: string | undefined) => {
      const page = { ...input, limit: CANDLES_PAGE_MAX, cursor: before === undefined ? undefined : new Date(before) }
      const { candles: rows, nextCursor } = await getCandles(reader, page)
      return { rows, nextCursor }
    })
  },
}

const fairTrades: RowStream = {
  name: 'trades',
  columns: marketTrades.columns,
  fairOf: (input) => fairTradesInput.parse(input).id,
  async *open(reader, given) {
    const input = withoutDefault(fairTradesInput, given)
    yield* readPages(input, async (cursor: number | undefined, limit) => {
      const { trades: rows, nextCursor } = await getFairTrades(reader, { ...input, cursor, limit })
      return { rows, nextCursor }
    })
  },
}

/** Streams the ranking of a fair. After the fair's end, streams the results. */
const fairRanking: RowStream = {
  name: 'ranking',
  property: 'entrants',
  fairOf: (input) => rankingInput.parse(input).id,
  columns: [
    ...plain('place', 'userId'),
    ...text('username'),
    ...plain('isBot', 'standing', 'score', 'isRanked', 'hasLeft', 'trades', 'medal', 'isPaper'),
  ],
  async *open({ app }, given) {
    const { cursor = '0', limit = Number.POSITIVE_INFINITY, id } = withoutDefault(rankingInput, given)
    const { entrants } = await readRanking(app, await getFair(app.platform.db, id))
    yield entrants.slice(Number(cursor), Number(cursor) + limit)
  },
}

/** Streams a player's waiting orders, or with `state=ended` the ended ones. */
const waitingOrders: RowStream = {
  name: 'waiting-orders',
  isOwn: true,
  columns: [
    ...plain('id', 'tokenId', 'kind', 'amount', 'left', 'price', 'stopPrice', 'leastPrice', 'below', 'above'),
    ...plain('isTriggered', 'fills', 'state', 'cause'),
    ...text('key'),
    ...plain('replaces', 'placedAt', 'expiresAt', 'endedAt'),
  ],
  async *open({ app, userId }, given) {
    const input = withoutDefault(listWaitingInput, given)
    if (userId === null) throw new NotSignedInError()
    yield* readPages(input, async (cursor: number | undefined, limit) => {
      const { orders: rows, nextCursor } = await listWaiting(app, userId, { ...input, cursor, limit })
      return { rows, nextCursor }
    })
  },
}

/** Procedures whose lists can also be streamed. */
export const rowStreams: Readonly<Record<string, RowStream | undefined>> = {
  'tokens.list': tokens,
  'tokens.trades': tokenTrades,
  'history.trades': marketTrades,
  'tokens.holders': holders,
  'history.candles': candles,
  'fairs.trades': fairTrades,
  'fairs.ranking': fairRanking,
  'waitingOrders.list': waitingOrders,
} satisfies Partial<Record<ProcedurePath, RowStream>>

/** Parses an input, and leaves `limit` undefined unless it was given, because a stream has no default limit. */
function withoutDefault<Schema extends z.ZodType<{ readonly limit: number }>>(schema: Schema, given: unknown) {
  const input = schema.parse(given)
  const { limit } = Object(given) as { limit?: unknown }
  return { ...input, limit: limit === undefined ? undefined : input.limit }
}

interface Page<Cursor> {
  readonly rows: Rows
  readonly nextCursor: Cursor | null
}

/** Reads pages up to the last one, or up to `limit` rows. While a page is sent, the next one is already being read. */
async function* readPages<Cursor>(
  { cursor, limit }: { readonly cursor?: Cursor | undefined; readonly limit?: number | undefined },
  read: (cursor: Cursor | undefined, limit: number) => Promise<Page<Cursor>>,
): AsyncGenerator<Rows> {
  let left = limit ?? Number.POSITIVE_INFINITY
  let next: Promise<Page<Cursor>> | null = read(cursor, Math.min(left, PAGE))
  while (next !== null) {
    const { rows, nextCursor }: Page<Cursor> = await next
    const taken = rows.slice(0, left)
    left -= taken.length
    next = nextCursor === null || left === 0 ? null : read(nextCursor, Math.min(left, PAGE))
    // Handle the error here, because nobody awaits the next page after the reader has left.
    next?.catch(() => {})
    yield taken
  }
}
