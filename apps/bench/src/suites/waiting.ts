import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { Decimal, parseSol, parseTokens } from '@papermoon/amm'
import type { DatabaseClient } from '@papermoon/db'
import type { OwnEngine, SellOrder, TokenId, UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { BenchContext, Suite } from '../bench.ts'
import { makeScratchMarket, startPostgres } from '../dataset/make-dataset.ts'
import { unevenMarket } from '../dataset/market-plan.ts'
import { openEngine } from '../engine/open-engine.ts'
import { BUY_SOL, tradeByEngine, tradeInTurn } from '../engine/trade-in-turn.ts'
import { compare, measureEach } from '../load/interleave.ts'
import type { Measurement, Round, Target } from '../report/measurement.ts'

const SIZE = { tokens: 2_010, players: 10_000 }
const HOT = { none: 2_001, waiting: 2_002, ladder: 2_003, placed: 2_004 }
const WAITING = 100_000
const LADDER = 10_000
const IN_FLIGHT = 512
/**
 * Number of other running orders while a sale fills the waiting orders. This number is low, so that the orders' p99
 * shows how long they wait for the engine, and not for each other.
 */
const FEW_IN_FLIGHT = 16
/** Id of the player who creates the tokens that are rugged. */
const CREATOR = 9_999 as UserId
const TOKEN = { name: 'Bench', symbol: 'BENCH', emoji: '🪙', description: null, website: null, x: null, telegram: null }
const MONTH_MS = 2_592_000_000
const AFTER_CONFLICT_MS = 1_500

export const waiting: Suite = {
  name: 'waiting',
  about: 'what orders that wait cost trades that reach none, and how fast they are placed, cancelled and filled',
  run: async (context) => {
    const dataDir = await makeScratchMarket(context, unevenMarket({ ...SIZE, trades: SIZE.tokens }))
    const market = openEngine(context, (await startPostgres(context, dataDir)).address)
    const { database } = market
    await sql`update accounts set sol_balance = 1000000`.execute(database.db)
    await addOrders(database, { from: HOT.waiting, to: HOT.waiting, each: context.isQuick ? 5_000 : WAITING })
    await addOrders(database, { from: 1_001, to: 2_000, each: context.isQuick ? 10 : WAITING / 1_000 })
    await sql`vacuum (analyze) waiting_orders`.execute(database.db)
    return await measureAll(context, market)
  },
}

interface Market {
  readonly engine: OwnEngine
  readonly database: DatabaseClient
}

async function measureAll(context: BenchContext, { engine, database }: Market): Promise<Measurement[]> {
  const { roundSeconds: seconds } = context
  const ladder = context.isQuick ? 1_000 : LADDER
  const trades = (from: number, tokens = 1, inFlight = IN_FLIGHT) => {
    return tradeInTurn({ tokens, players: SIZE.players, inFlight, seconds }, tradeByEngine(engine, from))
  }
  const sweepNew = async () => await sweep({ engine, database }, await raiseLadder({ engine, database }, ladder))
  const cases: readonly WaitingCase[] = [
    {
      name: 'hot token, 100,000 orders out of reach',
      target: { min: 0.97 },
      baseline: () => trades(HOT.none),
      subject: () => trades(HOT.waiting),
    },
    {
      name: '1,000 tokens, 100 orders on each',
      target: { min: 0.97 },
      baseline: () => trades(1, 1_000),
      subject: () => trades(1_001, 1_000),
    },
    {
      name: 'placing and cancelling, against buys',
      target: { min: 0.7 },
      baseline: () => trades(HOT.none),
      subject: () => placeInTurn(engine, seconds),
    },
    {
      name: 'a ladder that is swept, against trades 64 at a time',
      target: { min: 0.5 },
      baseline: () => trades(HOT.none, 1, 64),
      subject: sweepNew,
    },
    {
      name: 'trades of other tokens while a ladder is swept, against none',
      target: { max: 3 },
      figure: 'p99Ms',
      baseline: () => trades(1, 1_000, FEW_IN_FLIGHT),
      subject: async () => {
        const sale = await raiseLadder({ engine, database }, ladder)
        const [others] = await Promise.all([trades(1, 1_000, FEW_IN_FLIGHT), sweep({ engine, database }, sale)])
        return others
      },
    },
    {
      name: 'a rug with 100,000 orders, against none',
      target: { max: 1.5 },
      figure: 'tookMs',
      baseline: () => rug({ engine, database }, 0),
      subject: () => rug({ engine, database }, context.isQuick ? 5_000 : WAITING),
    },
  ]
  return await measureEach(context, cases, ({ name, target, figure = 'perSecond', ...sides }) =>
    compare(context, { suite: 'waiting', name, figure, target }, sides),
  )
}

interface WaitingCase {
  readonly name: string
  readonly target: Target
  readonly figure?: string
  baseline(): Promise<Round>
  subject(): Promise<Round>
}

/** Lets players place orders far below the price and cancel them, in several lanes. */
async function placeInTurn(engine: OwnEngine, seconds: number): Promise<Round> {
  const tokenId = HOT.placed as TokenId
  const untilMs = performance.now() + seconds * 1_000
  let done = 0
  const lane = async (userId: UserId) => {
    const amount = parseSol('1')
    const terms = { kind: 'buy', amount, price: new Decimal('0.000000001'), stopPrice: null, leastPrice: null } as const
    while (performance.now() < untilMs) {
      const { order } = await engine.submit({ kind: 'place', userId, tokenId, terms, lastsMs: MONTH_MS })
      await engine.submit({ kind: 'cancel', userId, tokenId, ids: [order.id] })
      done += 2
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, i) => lane((i + 1) as UserId)))
  return { perSecond: done / ((performance.now() - startedMs) / 1_000) }
}

/** Adds waiting limit buys at many prices. Returns the sale that fills all of these orders. */
async function raiseLadder({ engine, database }: Market, orders: number): Promise<SellOrder> {
  const tokenId = HOT.ladder as TokenId
  const userId = SIZE.players as UserId
  const { trade } = await engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol('30000') })
  // Delete the ended orders now, because the engine would otherwise delete them during the measurement. In a real
  // market, the engine does not delete so many at once.
  await sql`delete from waiting_orders where token_id = ${tokenId}`.execute(database.db)
  await sql`vacuum (analyze) waiting_orders`.execute(database.db)
  await addOrders(database, { from: tokenId, to: tokenId, each: orders, highest: 0.999, sol: '0.05' })
  // The engine notices the added orders through a conflict. After the conflict, the engine locks all batches for a
  // second.
  await engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol(BUY_SOL) })
  await sleep(AFTER_CONFLICT_MS)
  return { kind: 'sell', userId, tokenId, tokens: parseTokens(trade.tokenAmount) }
}

/** Measures how many waiting orders per second a single large sale fills. */
async function sweep({ engine, database }: Market, sale: SellOrder): Promise<Round> {
  const { tokenId } = sale
  const startedMs = performance.now()
  await engine.submit(sale)
  for (let isRunning = true; isRunning; ) {
    const pool = await database.db
      .selectFrom('pools')
      .select('cascade_from')
      .where('token_id', '=', tokenId)
      .executeTakeFirst()
    isRunning = pool?.cascade_from !== null
    if (isRunning) await sleep(20)
  }
  const tookMs = performance.now() - startedMs
  const { rows } = await sql<{ fills: number }>`
    select count(*)::int as fills from waiting_orders where token_id = ${tokenId} and fills > 0`.execute(database.db)
  return { perSecond: (rows[0]?.fills ?? 0) / (tookMs / 1_000), tookMs }
}

/** Launches a token, adds waiting orders for it, and pulls the rug. */
async function rug({ engine, database }: Market, orders: number): Promise<Round> {
  const launch = { kind: 'launch', userId: CREATOR, token: TOKEN, initialBuy: parseSol('30') } as const
  const { tokenId } = await engine.submit(launch)
  if (orders > 0) await addOrders(database, { from: tokenId, to: tokenId, each: orders })
  const startedMs = performance.now()
  await engine.submit({ kind: 'rug', userId: CREATOR, tokenId })
  return { tookMs: performance.now() - startedMs }
}

/**
 * Adds limit buys for each of some tokens, one below the other. The highest order is at half the price, or at `highest`
 * times the price.
 */
async function addOrders(
  { db }: DatabaseClient,
  {
    from,
    to,
    each,
    highest = 0.5,
    sol = '1',
  }: { from: number; to: number; each: number; highest?: number; sol?: string },
): Promise<void> {
  await sql`
    insert into waiting_orders (token_id, user_id, account_id, kind, price, amount, left_amount, below, request_key, digest, placed_at, expires_at)
    select p.token_id, player, player, 'buy', p.price * part / 0.997, ${sol}::numeric, ${sol}::numeric,
           p.price * part, format('bench %s %s %s', p.token_id, n, clock_timestamp()), 'bench', now(), now() + interval '30 days'
      from pools p cross join generate_series(1, ${each}::int) n
     cross join lateral (select ${highest}::numeric * (1 - n::numeric / (${each}::int * 2)) as part,
       1 + (n + p.token_id * 97) % ${SIZE.players} as player) share
     where p.token_id between ${from} and ${to}`.execute(db)
  await sql`
    update pools set book = book + 1, book_below = price * ${highest}::numeric
     where token_id between ${from} and ${to}`.execute(db)
}
