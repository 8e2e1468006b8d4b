import { createHash } from 'node:crypto'
import { Decimal, type Sol } from '@papermoon/amm'
import { headLine, publicationStart } from '@papermoon/chain'
import { CANDLE_WIDTHS } from '@papermoon/engine'
import type pg from 'pg'
import { Differences } from './differences.ts'
import { compareOrders, ORDER_SUMS, ORDERS, type OrderRow, type OrderSums } from './order-replay.ts'
import { PlayerBooks } from './player-books.ts'
import { Positions } from './positions.ts'
import { CandleReplay } from './replay/candle-replay.ts'
import { TokenReplay } from './replay/token-replay.ts'
import { TokenRows } from './replay/token-rows.ts'
import {
  type CandleRow,
  FAIR_ENTRANTS,
  HOLDINGS,
  type HoldingRow,
  LAST_TRADE,
  NOTHING_PUBLISHED,
  PLAYERS,
  type PlayerRow,
  PUBLICATIONS,
  PUBLISHED,
  PUBLISHED_BY_HOUR,
  type PublicationRow,
  type PublishedRow,
  SEALS,
  type SealRow,
  selectCandles,
  TOKENS,
  type TokenRow,
  TRADES,
  type TradeRow,
} from './store.ts'
import { inStreamingSnapshot, type RowStream, type StreamingSnapshot } from './streaming-snapshot.ts'

export interface AuditReport {
  readonly tokens: number
  readonly trades: number
  /** Highest trade id, or null if there are no trades. */
  readonly lastTradeId: number | null
  readonly rugs: number
  readonly players: number
  readonly holdings: number
  readonly candles: number
  /** Number of stored values that differ from the journal. */
  readonly differences: number
  /** The first differences, described in one sentence each. */
  readonly shown: readonly string[]
}

/**
 * Replays a market's whole journal (launches, trades, rug pulls, seals, waiting orders, grants) through the market
 * maker. Compares the results exactly with the stored values: every trade, hash, pool, holding, candle, balance,
 * realized profit, published digest, and all sums. The audit reads one snapshot of a running market. The audit changes
 * and locks nothing. The audit streams the data, so its memory grows with the number of players and tokens, but not
 * with the number of trades.
 */
export async function auditMarket(
  pool: Pick<pg.Pool, 'connect'>,
  market: 'fairground' | 'fairs' = 'fairground',
): Promise<AuditReport> {
  const differences = new Differences()
  const open = async (snapshot: StreamingSnapshot) => {
    if (market === 'fairs') await snapshot.searchIn('fairs', 'public')
    return await openJournal(snapshot, QUERIES[market], differences)
  }
  return await inStreamingSnapshot(pool, open, async ({ tables, publications, lastTrade, players, waiting }) => {
    const books = new PlayerBooks()
    const tokens = await replayTokens(tables, { books, differences })
    await comparePublications(publications, differences)
    await compareOrders(waiting, differences)
    const last = await lastTrade.take()
    const playersRead = await comparePlayers(players, tokens.sol, { books, differences })
    return {
      tokens: tokens.count,
      trades: tables.trades.taken,
      lastTradeId: last?.id ?? null,
      rugs: tokens.rugs,
      players: playersRead,
      holdings: tables.holdings.taken,
      candles: tables.candles.reduce((sum, { rows }) => sum + rows.taken, 0),
      differences: differences.count,
      shown: differences.shown,
    }
  })
}

/** The queries that are different in the fairground and in other fairs. */
const QUERIES = {
  fairground: {
    players: PLAYERS,
    published: PUBLISHED,
    publishedByHour: PUBLISHED_BY_HOUR,
    publications: PUBLICATIONS,
  },
  fairs: {
    players: FAIR_ENTRANTS,
    published: NOTHING_PUBLISHED,
    publishedByHour: NOTHING_PUBLISHED,
    publications: `${PUBLICATIONS} limit 0`,
  },
} as const

type MarketQueries = (typeof QUERIES)[keyof typeof QUERIES]

/** All data that the audit reads, from one snapshot. */
interface Journal {
  readonly tables: Tables
  readonly publications: PublicationStreams
  readonly lastTrade: RowStream<{ id: number | null }>
  readonly players: RowStream<PlayerRow>
  readonly waiting: Parameters<typeof compareOrders>[0]
}

async function openJournal(
  snapshot: StreamingSnapshot,
  queries: MarketQueries,
  differences: Differences,
): Promise<Journal> {
  return {
    tables: await openTables(snapshot, queries, differences),
    publications: {
      publications: await snapshot.stream<PublicationRow>(queries.publications),
      heads: await snapshot.stream<PublishedRow>(queries.publishedByHour),
    },
    lastTrade: await snapshot.stream<{ id: number | null }>(LAST_TRADE),
    players: await snapshot.stream<PlayerRow>(queries.players),
    waiting: {
      orders: await snapshot.stream<OrderRow>(ORDERS),
      sums: await snapshot.stream<OrderSums>(ORDER_SUMS),
    },
  }
}

/** The list of tokens, and the tables that are read together with it. */
interface Tables {
  readonly tokens: RowStream<TokenRow>
  readonly trades: TokenRows<TradeRow>
  readonly holdings: TokenRows<HoldingRow>
  readonly published: TokenRows<PublishedRow>
  readonly seals: TokenRows<SealRow>
  readonly candles: readonly { readonly width: number; readonly rows: TokenRows<CandleRow> }[]
}

interface Findings {
  readonly books: PlayerBooks
  readonly differences: Differences
}

async function openTables(
  snapshot: StreamingSnapshot,
  { published: publishedQuery }: MarketQueries,
  differences: Differences,
): Promise<Tables> {
  const tokens = await snapshot.stream<TokenRow>(TOKENS)
  const trades = new TokenRows(await snapshot.stream<TradeRow>(TRADES), 'trades', differences)
  const holdings = new TokenRows(await snapshot.stream<HoldingRow>(HOLDINGS), 'holdings', differences)
  const published = new TokenRows(await snapshot.stream<PublishedRow>(publishedQuery), 'published heads', differences)
  const seals = new TokenRows(await snapshot.stream<SealRow>(SEALS), 'seals', differences)
  const candles: { width: number; rows: TokenRows<CandleRow> }[] = []
  for (const width of CANDLE_WIDTHS) {
    const rows = new TokenRows(
      await snapshot.stream<CandleRow>(selectCandles(width)),
      `${width}-second candles`,
      differences,
    )
    candles.push({ width, rows })
  }
  return { tokens, trades, holdings, published, seals, candles }
}

/** Replays all tokens; `sol` is the stored real SOL of all pools plus the treasury. */
async function replayTokens(tables: Tables, findings: Findings): Promise<{ count: number; rugs: number; sol: Sol }> {
  const { tokens } = tables
  let rugs = 0
  let sol: Sol = new Decimal(0)
  for (let token = await tokens.take(); token !== undefined; token = await tokens.take()) {
    await replayToken(token, tables, findings)
    if (token.rug !== null) rugs++
    sol = sol.add(token.launch_fee)
    if (token.pool !== null) sol = sol.add(token.pool.sol_reserve).sub(token.pool.virtual_sol).add(token.pool.fees)
  }
  const { trades, holdings, published, seals, candles } = tables
  for (const rows of [trades, holdings, published, seals, ...candles.map((kept) => kept.rows)]) await rows.finish()
  return { count: tokens.taken, rugs, sol }
}

async function replayToken(token: TokenRow, tables: Tables, { books, differences }: Findings): Promise<void> {
  const { id, pool, rug } = token
  const { trades, holdings, published, seals } = tables
  const where = `token ${id} (${token.symbol})`
  const positions = new Positions(where, differences)
  const candles = tables.candles.map((kept) => new CandleReplay({ id, where }, kept, differences))
  const replay = new TokenReplay(token, {
    where,
    positions,
    candles,
    published,
    seals,
    differences,
    books: books.ofFair(token.fair_id),
  })
  for (let row = await trades.take(id); row !== undefined; row = await trades.take(id)) await replay.addTrade(row)
  if (rug !== null) await replay.addRug(rug)
  for (const candle of candles) await candle.finish()
  const held = await positions.compare(id, holdings)
  if (pool === null) differences.add(where, 'the token has no pool')
  else await replay.compare(pool, held)
}

/** Compares all players with the journal. Returns the number of compared players. */
async function comparePlayers(
  players: RowStream<PlayerRow>,
  sol: Sol,
  { books, differences }: Findings,
): Promise<number> {
  const { granted, balances } = await books.compare(players, differences)
  differences.compare('the market', [
    { figure: 'sum of balances, real SOL and treasury', stored: balances.add(sol), expected: granted },
  ])
  return players.taken
}

/** Streams of publications and hashes, both sorted by hour. */
interface PublicationStreams {
  readonly publications: RowStream<PublicationRow>
  readonly heads: RowStream<PublishedRow>
}

/**
 * Recomputes the digest of every publication from the stored hashes and compares it. Also compares the previous
 * publication's digest, which each publication contains. The memory that this needs grows with the number of tokens.
 * Stops at the first difference, because each publication depends on all earlier ones.
 */
async function comparePublications(streams: PublicationStreams, differences: Differences): Promise<void> {
  const { publications } = streams
  const heads = new HeadLines(streams.heads)
  let previous: string | null = null
  for (let row = await publications.take(); row !== undefined; row = await publications.take()) {
    await heads.moveTo(row.hour)
    const expected = { tokens: heads.count, previous, digest: heads.digest(row.hour, previous) }
    for (const figure of ['tokens', 'previous', 'digest'] as const) {
      if (row[figure] === expected[figure]) continue
      const what = `${figure} is ${row[figure]}, but should be ${expected[figure]}; later publications are not compared`
      differences.add(`publication for ${row.hour.toISOString()}`, what)
      return
    }
    previous = row.digest
  }
}

/** The lines of the publication of one hour: the latest hash of each token. */
class HeadLines {
  readonly #rows: RowStream<PublishedRow>
  readonly #lines = new Map<number, string>()
  #tokenIds: number[] = []

  /** The rows must be sorted by hour. */
  constructor(rows: RowStream<PublishedRow>) {
    this.#rows = rows
  }

  get count(): number {
    return this.#lines.size
  }

  async moveTo(hour: Date): Promise<void> {
    for (let row = await this.#rows.peek(); row !== undefined && row.hour <= hour; row = await this.#rows.peek()) {
      this.#lines.set(row.token_id, headLine({ tokenId: row.token_id, seq: row.seq, hash: row.hash }))
      await this.#rows.take()
    }
    if (this.#tokenIds.length < this.#lines.size) this.#tokenIds = [...this.#lines.keys()].sort((a, b) => a - b)
  }

  digest(hour: Date, previous: string | null): string {
    const digest = createHash('sha256').update(publicationStart({ hour: hour.toISOString(), previous }))
    for (const id of this.#tokenIds) digest.update(this.#lines.get(id) ?? '')
    return digest.digest('hex')
  }
}
