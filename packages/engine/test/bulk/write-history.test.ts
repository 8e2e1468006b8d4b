import { Decimal, parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BulkMarket,
  type BulkOrder,
  createBatch,
  MarketHistory,
  prepareBulkConnection,
  reservePositions,
  writeBatch,
  writeHistory,
} from '../../src/bulk/index.ts'
import type { Order } from '../../src/orders.ts'
import { aToken, balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

const START_MS = Date.parse('2026-01-01T10:00:30.500Z')
const PLAYERS = 4
const TOKENS = 5
const ORDERS = 600

describe('a history', () => {
  let market: TestMarket
  let players: UserId[]
  beforeEach(async () => {
    market = await createTestMarket()
    players = await addPlayers(market)
  })
  afterEach(() => market.close())

  it('leaves the same rows as the same orders written one by one', async () => {
    const other = await createTestMarket()
    try {
      await addPlayers(other)
      const orders = generateOrders(players)
      await write(market, orders)
      await writeEach(other, orders)
      for (const table of TABLES) expect(await readRows(market, table), table).toEqual(await readRows(other, table))
      expect(await readBooks(market)).toEqual(balancedBooks('400'))
    } finally {
      await other.close()
    }
  })

  it('leaves a market that can continue', async () => {
    const orders = generateOrders(players)
    await write(market, orders)
    const [player] = players as [UserId]
    const next = await market.launch(player, '1')
    expect(next).toBe(TOKENS + 1)
    const before = await findPool(market, 2)
    const { trade } = await market.buy(player, 2 as TokenId, '0.5')
    expect(trade.seq).toBe(before.seq + 1)
    expect(await readBooks(market)).toEqual(balancedBooks('400'))
  })

  it('uses reserved positions beside others’ tokens and trades, before later ones', async () => {
    const stranger = await market.addPlayer()
    const first = await market.launch(stranger, '1')
    const firstPosition = await reserve(market, 10_000)
    const ids = await drawTokenIds(market, TOKENS)
    const during = await market.buy(stranger, first, '1')
    await write(market, generateOrders(players, ids), { firstPosition, ids })
    expect(firstPosition).toBe(3)
    expect(during.trade.id).toBe(10_003)
    const { rows } = await sql<{ min: number; max: number }>`
      select min(id)::int as min, max(id)::int as max from trades where token_id <> ${first}`.execute(market.db)
    expect(rows[0]?.min).toBe(3 + TOKENS)
    expect(rows[0]?.max).toBeLessThan(10_003)
    expect(ids).toEqual([2, 3, 4, 5, 6])
    expect(await readBooks(market)).toEqual(balancedBooks('500'))
  })

  it('writes nothing if a player has traded since it began', async () => {
    const [player] = players as [UserId]
    const history = makeHistory(players, generateOrders(players, [2, 3, 4, 5, 6] as TokenId[]), {
      ids: [2, 3, 4, 5, 6] as TokenId[],
    })
    await market.launch(player)
    await expect(inTransaction(market, (client) => writeHistory(client, history, 1))).rejects.toThrow(
      'a row has changed',
    )
    expect(await readRows(market, 'trades')).toEqual([])
    expect(await readBooks(market)).toEqual(balancedBooks('400'))
  })
})

describe('the market of a history', () => {
  it('rejects orders that break a rule, and stays unchanged', () => {
    const [one, two] = [1, 2] as [UserId, UserId]
    const history = makeHistory([one, two], [], {})
    const place = (order: Order) => history.place({ order, atMs: START_MS, requestKey: 'key' })
    place({ kind: 'launch', userId: one, token: aToken, initialBuy: parseSol('2') })
    const buy = { kind: 'buy', userId: two, tokenId: 1 as TokenId, sol: parseSol('1000') } as const
    expect(() => place(buy)).toThrow('Insufficient balance')
    expect(() => place({ kind: 'rug', userId: two, tokenId: 1 as TokenId })).toThrow('creator')
    expect(history.trades).toHaveLength(1)
    expect(history.market.account(two)?.balanceText).toBe('100')
    place({ kind: 'rug', userId: one, tokenId: 1 as TokenId })
    expect(() => place({ ...buy, sol: parseSol('1') })).toThrow('rugged')
    expect(history.rugs).toHaveLength(1)
  })
})

const TABLES = ['tokens', 'pools', 'trades', 'rugs', 'holdings', 'closed_candles', 'accounts'] as const

/**
 * Columns with positions. A history has all launches first, then trades, then rug pulls, so compare only the order of
 * positions.
 */
const DRAWN: Partial<Record<(typeof TABLES)[number], string>> = { tokens: 'position', trades: 'id', rugs: 'position' }

/** Reads every column of a table as text, in a repeatable order. */
async function readRows({ db }: TestDatabase, table: (typeof TABLES)[number]): Promise<string[]> {
  const drawn = DRAWN[table]
  const row =
    drawn === undefined
      ? sql`t::text`
      : sql`((to_jsonb(t) - ${drawn}::text) || jsonb_build_object('place', row_number() over (order by ${sql.ref(drawn)})))::text`
  const { rows } = await sql<{ row: string }>`
    select ${row} as row from ${sql.table(table)} t order by t::text collate "C"`.execute(db)
  return rows.map(({ row }) => row).sort()
}

async function addPlayers(market: TestMarket): Promise<UserId[]> {
  const players: UserId[] = []
  for (let i = 0; i < PLAYERS; i++) players.push(await market.addPlayer())
  return players
}

function makeHistory(
  players: readonly UserId[],
  orders: readonly BulkOrder[],
  { ids }: { ids?: readonly TokenId[] },
): MarketHistory {
  const left = [...(ids ?? ([1, 2, 3, 4, 5] as TokenId[]))]
  const history = new MarketHistory({ nextTokenId: () => left.shift() as TokenId })
  for (const userId of players) history.addPlayer({ userId, username: `player-${userId}` }, new Decimal(100))
  for (const order of orders) history.place(order)
  return history
}

async function write(
  market: TestMarket,
  orders: readonly BulkOrder[],
  at: { firstPosition?: number; ids?: readonly TokenId[] } = {},
): Promise<void> {
  const userIds = [...new Set(orders.map(({ order }) => order.userId))].sort((a, b) => a - b)
  const ids = at.ids ?? (await drawTokenIds(market, TOKENS))
  const firstPosition = at.firstPosition ?? (await reserve(market, ORDERS * 2))
  const history = makeHistory(userIds, orders, { ids })
  await inTransaction(market, (client) => writeHistory(client, history, firstPosition))
}

/** Writes every order as its own batch, like the engine for orders that come one by one. */
async function writeEach({ pool }: TestDatabase, orders: readonly BulkOrder[]): Promise<void> {
  const bulk = new BulkMarket()
  for (let i = 1; i <= PLAYERS; i++) {
    bulk.addPlayer({ userId: i as UserId, username: `player-${i}` }, new Decimal(100))
  }
  const client = await pool.connect()
  try {
    await prepareBulkConnection(client)
    for (const order of orders) {
      const changes = createBatch()
      bulk.apply(order, changes)
      await writeBatch(client, changes)
    }
  } finally {
    client.release(true)
  }
}

async function inTransaction({ pool }: TestDatabase, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release(true)
  }
}

async function reserve(market: TestMarket, count: number): Promise<number> {
  let first = 0
  await inTransaction(market, async (client) => {
    first = await reservePositions(client, count)
  })
  return first
}

async function drawTokenIds({ db }: TestDatabase, count: number): Promise<TokenId[]> {
  const { rows } = await sql<{ id: TokenId }>`
    select nextval('tokens_id_seq')::int as id from generate_series(1, ${count}::int)`.execute(db)
  return rows.map(({ id }) => id)
}

async function findPool({ db }: TestDatabase, tokenId: number) {
  return await db.selectFrom('pools').select('seq').where('token_id', '=', tokenId).executeTakeFirstOrThrow()
}

/**
 * Generates launches, trades and rug pulls. The pauses are up to two days, so that candles of every width open and
 * close.
 */
function generateOrders(players: readonly UserId[], ids = [1, 2, 3, 4, 5] as TokenId[]): BulkOrder[] {
  const { market, place } = startWalk(players, ids)
  const random = createRandom(7)
  let atMs = START_MS
  const orders: BulkOrder[] = []
  const add = (order: Order) => {
    const next = { order, atMs, requestKey: `order-${orders.length}` }
    place(next)
    orders.push(next)
  }
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  for (const [i, id] of ids.entries()) {
    const initialBuy = i % 2 === 0 ? parseSol('1.5') : undefined
    add({
      kind: 'launch',
      userId: players[i % players.length] as UserId,
      token: { ...aToken, name: `Moon ${id}` },
      initialBuy,
    })
  }
  while (orders.length < ORDERS) {
    atMs += Math.floor(10 ** (random() * 4.5 + 1))
    if (orders.length % 60 === 0) atMs += 2 * 86_400_000 * random()
    atMs = Math.floor(atMs)
    // The last two tokens are rugged halfway.
    const open = ids.slice(0, orders.length < ORDERS / 2 ? TOKENS : TOKENS - 2)
    if (orders.length === ORDERS / 2) {
      for (const [i, tokenId] of ids.entries()) {
        if (i >= TOKENS - 2) add({ kind: 'rug', userId: players[i % players.length] as UserId, tokenId })
      }
    }
    const [userId, tokenId] = [pick(players), pick(open.length > 0 ? open : ids)]
    const { amount } = market().position(tokenId, userId)
    const isSale = amount.gt(1) && random() < 0.5
    if (isSale)
      add({ kind: 'sell', userId, tokenId, tokens: random() < 0.4 ? amount : amount.div(3).toDecimalPlaces(6) })
    else add({ kind: 'buy', userId, tokenId, sol: parseSol(`0.0${1 + Math.floor(random() * 99)}`) })
  }
  return orders
}

function startWalk(players: readonly UserId[], ids: readonly TokenId[]) {
  const walk = makeHistory(players, [], { ids })
  return { market: () => walk.market, place: (order: BulkOrder) => walk.place(order) }
}

/** Returns random numbers from 0 to 1 (Mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
