import { Decimal, parseSol } from '@papermoon/amm'
import type { TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { applyTicket } from '@papermoon/engine'
import { BatchChanges } from '@papermoon/engine'
import { Market, withBalance } from '@papermoon/engine'
import { type BatchReadings, NOTHING_READ } from '@papermoon/engine'
import { prepareSession } from '@papermoon/engine'
import { writeChanges } from '@papermoon/engine'
import type { TokenId, UserId } from '@papermoon/engine'
import type { Order } from '@papermoon/engine'
import { aToken } from '@papermoon/engine'

/** As many as fill a transaction well. */
const BATCH = 2_000
const TRADE_EVERY_MS = 977

export interface BulkPlan {
  readonly players: number
  readonly tokens: number
  readonly trades: number
}

/**
 * Fills an empty database with what the engine would have made of so many orders: its own pure functions and its own
 * writer, without queue, locks and reading, so a million trades take minutes.
 */
export async function fillMarket({ db, pool }: TestDatabase, plan: BulkPlan): Promise<void> {
  const market = new Market()
  await addPlayers(db, plan.players)
  for (let i = 1; i <= plan.players; i++) {
    const userId = i as UserId
    market.setAccount(withBalance({ userId, username: `p${i}` }, START))
  }
  const bulk = { market, tokens: 0, nowMs: Date.parse('2026-01-01T00:00:00Z') }
  const orders = ordersOf(plan, market)
  const client = await pool.connect()
  try {
    await prepareSession(client)
    for (let changes = applySome(orders, bulk); !changes.isEmpty; changes = applySome(orders, bulk)) {
      await client.query('begin')
      await writeChanges(client, changes)
      await client.query('commit')
    }
  } finally {
    client.release(true)
  }
}

interface Bulk {
  readonly market: Market
  tokens: number
  nowMs: number
}

/** At most a minute of it: a batch happens within one candle. */
function applySome(orders: Iterator<Order>, bulk: Bulk): BatchChanges {
  const { market } = bulk
  const readings: BatchReadings = { ...NOTHING_READ, nextTokenId: () => ++bulk.tokens as TokenId }
  const changes = new BatchChanges()
  const endMs = minuteOf(bulk.nowMs + TRADE_EVERY_MS) + 60_000
  while (changes.journal.length < BATCH && bulk.nowMs + TRADE_EVERY_MS < endMs) {
    const { value: order, done } = orders.next()
    if (done) break
    bulk.nowMs += TRADE_EVERY_MS
    const ticket = { order, requestKey: `bulk-${bulk.nowMs}`, mayBeRepeat: false, queuedAtMs: 0 }
    applyTicket({ market, changes, readings, nowMs: bulk.nowMs }, { ...ticket, resolve() {}, reject() {} })
  }
  return changes
}

const minuteOf = (ms: number): number => ms - (ms % 60_000)

const START = new Decimal(1_000_000)

async function addPlayers(db: TestDatabase['db'], players: number): Promise<void> {
  await sql`with u as (
      insert into users (username, username_key, email, email_key, wallet, password_hash)
      select 'p' || n, 'p' || n, 'p' || n, 'p' || n, 'wallet', 'none' from generate_series(1, ${players}::int) n returning id
    ), a as (insert into accounts (user_id, sol_balance) select id, ${START.toFixed()}::numeric from u)
    insert into grants (user_id, kind, amount) select id, 'register', ${START.toFixed()}::numeric from u`.execute(db)
}

/** Launches, then buys and sales of half of what is held at that moment, over all players and tokens. */
function* ordersOf(plan: BulkPlan, market: Market): Generator<Order> {
  for (let i = 0; i < plan.tokens; i++) {
    yield { kind: 'launch', userId: ((i % plan.players) + 1) as UserId, token: aToken }
  }
  for (let i = 0; i < plan.trades; i++) {
    const userId = (((i * 7) % plan.players) + 1) as UserId
    const tokenId = (((i * 13) % plan.tokens) + 1) as TokenId
    const { amount } = market.positionOf(tokenId, userId)
    const half = amount.div(2).toDecimalPlaces(6)
    if (i % 2 === 1 && half.gt(1)) yield { kind: 'sell', userId, tokenId, tokens: half }
    else yield { kind: 'buy', userId, tokenId, sol: parseSol(`0.0${1 + (i % 997)}`) }
  }
}
