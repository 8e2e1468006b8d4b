import { auditMarket } from '@papermoon/api/testing'
import { createTestDatabase, type TestDatabase } from '@papermoon/db/testing'
import type { TokenId } from '@papermoon/engine'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillMarket, listMoments } from '../src/dataset/fill-market.ts'
import { finishTables } from '../src/dataset/make-dataset.ts'
import { agedMarket, busiestToken, unevenMarket } from '../src/dataset/market-plan.ts'

const END_MS = Date.parse('2026-01-08T00:00:00Z')

describe('a generated market of two histories', () => {
  const plan = { ...unevenMarket({ tokens: 10, players: 30, trades: 250 }), repeats: 2 }
  let database: TestDatabase

  beforeAll(async () => {
    database = await createTestDatabase()
    await fillMarket(database, { plan, endMs: END_MS })
    await finishTables(database.db)
  })
  afterAll(() => database.drop())

  it('passes the audit', async () => {
    expect(await auditMarket(database.pool)).toMatchObject({ tokens: 20, trades: 500, players: 30, shown: [] })
  })

  it('has the trades of its plan, token by token', async () => {
    const { rows } = await sql<{ seq: number }>`select seq from pools order by token_id`.execute(database.db)
    expect(rows.map(({ seq }) => seq)).toEqual([...plan.tokens, ...plan.tokens].map(({ trades }) => trades))
  })

  it('has buys and sales of many players', async () => {
    const { rows } = await sql<{ side: string; players: number }>`
      select side, count(distinct user_id)::int as players from trades group by side order by side`.execute(database.db)
    expect(rows.map(({ side }) => side)).toEqual(['buy', 'sell'])
    for (const { players } of rows) expect(players).toBeGreaterThan(10)
  })

  it('has its journal in chronological order', async () => {
    const { rows } = await sql<{ id: number }>`select id from trades order by created_at, id`.execute(database.db)
    const ids = rows.map(({ id }) => id)
    expect(ids).toEqual(Array.from(ids).sort((a, b) => a - b))
  })

  it('accepts further launches and trades under free ids', async () => {
    const { rows } = await sql<{ token: number; position: number }>`
      select nextval(pg_get_serial_sequence('tokens', 'id')) as token, next_position() as position`.execute(database.db)
    expect(rows).toEqual([{ token: 21, position: 521 }])
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

  it('finds its busiest token, in the last history', () => {
    const plan = agedMarket({ old: 900, young: 100, others: 3, players: 5 })
    expect(busiestToken(plan)).toBe(1)
    expect(busiestToken({ ...plan, repeats: 3 })).toBe(11)
  })

  it('is chronological, with each launch before the token’s trades', () => {
    const { tokens } = unevenMarket({ tokens: 50, players: 10, trades: 2_000 })
    const launched = new Set<TokenId>()
    let lastMs = 0
    for (const { tokenId, isLaunch, atMs } of listMoments(tokens, { firstId: 1, endMs: END_MS })) {
      expect(atMs).toBeGreaterThanOrEqual(lastMs)
      expect(atMs).toBeLessThan(END_MS)
      expect(launched.has(tokenId)).toBe(!isLaunch)
      launched.add(tokenId)
      lastMs = atMs
    }
    expect([...launched]).toEqual(tokens.map((_, i) => i + 1))
  })
})
