import { Decimal, parseSol } from '@papermoon/amm'
import type { TestDatabase } from '@papermoon/db/testing'
import type { Order, TokenId, UserId } from '@papermoon/engine'
import {
  type BatchChanges,
  BulkMarket,
  createBatch,
  type Market,
  prepareBulkConnection,
  writeBatch,
} from '@papermoon/engine/bulk'
import { aToken } from '@papermoon/engine/testing'
import { sql } from 'kysely'

/** Number of orders in one transaction. */
const BATCH = 2_000
const TRADE_EVERY_MS = 977

export interface BulkPlan {
  readonly players: number
  readonly tokens: number
  readonly trades: number
}

/** Fills an empty database with the history of a market. */
export async function fillMarket({ db, pool }: Pick<TestDatabase, 'db' | 'pool'>, plan: BulkPlan): Promise<void> {
  const market = new BulkMarket()
  await addPlayers(db, plan.players)
  for (let i = 1; i <= plan.players; i++) market.addPlayer({ userId: i as UserId, username: `p${i}` }, START)
  const bulk = { market, nowMs: Date.parse('2026-01-01T00:00:00Z') }
  const orders = generateOrders(plan, market.market)
  const client = await pool.connect()
  try {
    await prepareBulkConnection(client)
    for (let changes = applySome(orders, bulk); !changes.isEmpty; changes = applySome(orders, bulk)) {
      await writeBatch(client, changes)
    }
  } finally {
    client.release(true)
  }
}

interface Bulk {
  readonly market: BulkMarket
  nowMs: number
}

/** Applies orders of at most one minute, because all orders of a batch are in one candle. */
function applySome(orders: Iterator<Order>, bulk: Bulk): BatchChanges {
  const changes = createBatch()
  const endMs = toMinute(bulk.nowMs + TRADE_EVERY_MS) + 60_000
  while (changes.journal.length < BATCH && bulk.nowMs + TRADE_EVERY_MS < endMs) {
    const { value: order, done } = orders.next()
    if (done) break
    bulk.nowMs += TRADE_EVERY_MS
    bulk.market.apply({ order, atMs: bulk.nowMs, requestKey: `bulk-${bulk.nowMs}` }, changes)
  }
  return changes
}

const toMinute = (ms: number): number => ms - (ms % 60_000)

const START = new Decimal(1_000_000)

async function addPlayers(db: TestDatabase['db'], players: number): Promise<void> {
  await sql`with u as (
      insert into users (username, username_key, email, email_key, wallet, password_hash)
      select 'p' || n, 'p' || n, 'p' || n, 'p' || n, 'wallet', 'none' from generate_series(1, ${players}::int) n returning id
    ), a as (insert into accounts (user_id, sol_balance) select id, ${START.toFixed()}::numeric from u)
    insert into grants (user_id, kind, amount) select id, 'register', ${START.toFixed()}::numeric from u`.execute(db)
}

/** Launches tokens. Then all players buy all tokens and sell half of their holdings. */
function* generateOrders(plan: BulkPlan, market: Market): Generator<Order> {
  for (let i = 0; i < plan.tokens; i++) {
    yield { kind: 'launch', userId: ((i % plan.players) + 1) as UserId, token: aToken }
  }
  for (let i = 0; i < plan.trades; i++) {
    const userId = (((i * 7) % plan.players) + 1) as UserId
    const tokenId = (((i * 13) % plan.tokens) + 1) as TokenId
    const { amount } = market.position(tokenId, userId)
    const half = amount.div(2).toDecimalPlaces(6)
    if (i % 2 === 1 && half.gt(1)) yield { kind: 'sell', userId, tokenId, tokens: half }
    else yield { kind: 'buy', userId, tokenId, sol: parseSol(`0.0${1 + (i % 997)}`) }
  }
}
