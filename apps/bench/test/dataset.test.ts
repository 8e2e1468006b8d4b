import { auditMarket } from '@papermoon/api/testing'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyMarket } from '../src/dataset/copy-market.ts'
import { fillMarket } from '../src/dataset/fill-market.ts'
import { finishTables } from '../src/dataset/make-dataset.ts'
import { marketMoments } from '../src/dataset/market-moments.ts'
import {
  agedMarket,
  busiestToken,
  copiedMarket,
  type MarketPlan,
  toOriginalPlan,
  unevenMarket,
} from '../src/dataset/market-plan.ts'

const END_MS = Date.parse('2026-01-08T00:00:00Z')

/** A database with a market of this plan. */
async function makeMarket(plan: MarketPlan): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await fillMarket(database, { plan, endMs: END_MS })
  await finishTables(database.db)
  return database
}

describe('a generated market', () => {
  const plan = unevenMarket({ tokens: 20, players: 30, trades: 500 })
  let database: TestDatabase

  beforeAll(async () => {
    database = await makeMarket(plan)
  })
  afterAll(() => database.drop())

  it('passes the audit', async () => {
    expect(await auditMarket(database.pool)).toMatchObject({ tokens: 20, trades: 500, players: 30, shown: [] })
  })

  it('has the trades of its plan, token by token', async () => {
    const { rows } = await sql<{ seq: number }>`select seq from pools order by token_id`.execute(database.db)
    expect(rows.map(({ seq }) => seq)).toEqual(plan.tokens.map(({ trades }) => trades))
  })

  it('has buys and sales of many players', async () => {
    const { rows } = await sql<{ side: string; players: number }>`
      select side, count(distinct user_id)::int as players from trades group by side order by side`.execute(database.db)
    expect(rows.map(({ side }) => side)).toEqual(['buy', 'sell'])
    for (const { players } of rows) expect(players).toBeGreaterThan(10)
  })

  it('accepts further launches and trades under free ids', async () => {
    const { rows } = await sql<{ token: number; position: number }>`
      select nextval(pg_get_serial_sequence('tokens', 'id')) as token, next_position() as position`.execute(database.db)
    expect(rows).toEqual([{ token: 21, position: 521 }])
  })
})

describe('a copied market', () => {
  const plan = copiedMarket(unevenMarket({ tokens: 8, players: 10, trades: 120 }), 3, 0)
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    await fillMarket(database, { plan: toOriginalPlan(plan), endMs: END_MS })
    await copyMarket(database, plan, () => {})
    await finishTables(database.db)
  })
  afterAll(() => database.drop())

  it('passes the audit, including hashes, at a multiple of the size', async () => {
    expect(await auditMarket(database.pool)).toMatchObject({ tokens: 24, trades: 360, players: 10, shown: [] })
  })

  it('has its journal in chronological order', async () => {
    const { rows } = await sql<{ id: number }>`select id from trades order by created_at, id`.execute(database.db)
    const ids = rows.map(({ id }) => id)
    expect(ids).toEqual(Array.from(ids).sort((a, b) => a - b))
  })
})

describe('a plan', () => {
  it('has exactly the requested trades, most of them of few tokens', () => {
    const { tokens } = unevenMarket({ tokens: 1_000, players: 10, trades: 100_000 })
    const trades = tokens.map((token) => token.trades).sort((a, b) => b - a)
    expect(trades.reduce((sum, count) => sum + count)).toBe(100_000)
    expect(trades.slice(0, 100).reduce((sum, count) => sum + count)).toBeGreaterThan(60_000)
    expect(trades.at(-1)).toBeGreaterThan(0)
  })

  it('finds its busiest token', () => {
    expect(busiestToken(agedMarket({ old: 900, young: 100, others: 3, players: 5 }))).toBe(1)
  })

  it('is chronological, with each launch before the token’s trades', () => {
    const { tokens } = unevenMarket({ tokens: 50, players: 10, trades: 2_000 })
    const launched = new Set<number>()
    let lastMs = 0
    for (const { token, isLaunch, atMs } of marketMoments(tokens, END_MS)) {
      expect(atMs).toBeGreaterThanOrEqual(lastMs)
      expect(atMs).toBeLessThan(END_MS)
      expect(launched.has(token)).toBe(!isLaunch)
      launched.add(token)
      lastMs = atMs
    }
    expect([...launched]).toEqual(tokens.map((_, i) => i + 1))
  })
})
