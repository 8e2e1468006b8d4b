import { migrations } from '@papermoon/db/testing'
import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { auditMarket } from '../../src/features/audit/audit-market.ts'

const MINUTE_MS = 60_000
const START_MS = Date.parse('2026-01-01T23:57:10Z')

let market: TestMarket
let player: UserId
let token: TokenId
let nowMs: number
beforeEach(async () => {
  nowMs = START_MS
  market = await createTestMarket({ clock: { now: () => new Date(nowMs) } })
  player = await market.addPlayer()
  token = await market.launch(player)
})
afterEach(() => market.close())

const FORMING = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const

async function candles(width: number) {
  const { rows } = await sql<{ bucket: Date; trades: number; open: string; close: string }>`
    select bucket, trades, open::float8::text as open, close::float8::text as close
      from candles where token_id = ${token} and width = ${width} order by bucket`.execute(market.db)
  return rows
}

async function closed(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int from closed_candles`.execute(market.db)
  return rows[0]?.count ?? -1
}

describe('the candles of a token', () => {
  it('are none before its first trade', async () => {
    expect(await candles(60)).toEqual([])
  })

  it('form in the pool’s row and close when the next one opens, separately for each width', async () => {
    await market.buy(player, token, '1')
    await market.buy(player, token, '1')
    expect(await closed()).toBe(0)
    nowMs += MINUTE_MS
    await market.buy(player, token, '1')
    expect(await closed()).toBe(1)
    // Past midnight a minute, an hour and a day candle close.
    nowMs += 2 * MINUTE_MS
    await market.buy(player, token, '1')
    expect(await closed()).toBe(4)
    const minutes = await candles(60)
    expect(minutes.map(({ trades }) => trades)).toEqual([2, 1, 1])
    expect(minutes.map(({ open }) => open).slice(1)).toEqual(minutes.map(({ close }) => close).slice(0, 2))
    expect((await candles(3_600)).map(({ trades }) => trades)).toEqual([3, 1])
    const days = (await candles(86_400)).map(({ bucket, trades }) => [bucket.toISOString(), trades])
    expect(days).toEqual([
      ['2026-01-01T00:00:00.000Z', 3],
      ['2026-01-02T00:00:00.000Z', 1],
    ])
    expect(await auditMarket(market.pool)).toMatchObject({ candles: 7, differences: 0, shown: [] })
  })

  it('end with a rug pull', async () => {
    await market.buy(player, token, '1')
    nowMs += MINUTE_MS
    await market.engine.submit({ kind: 'rug', userId: player, tokenId: token })
    expect((await candles(60)).map(({ trades, close }) => [trades, Number(close)])).toEqual([
      [1, expect.any(Number)],
      [0, 0],
    ])
    expect(await auditMarket(market.pool)).toMatchObject({ differences: 0, shown: [] })
  })
})

describe('a market older than candles in pool rows', () => {
  it('keeps every candle and continues the forming ones', async () => {
    const other = await market.launch(player)
    await market.launch(player)
    for (const stepMs of [0, 5_000, MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS]) {
      nowMs += stepMs
      await market.buy(player, token, '1')
      if (stepMs < MINUTE_MS) await market.buy(player, other, '2')
    }
    const all = () => sql`select * from candles order by token_id, width, bucket`.execute(market.db)
    const before = (await all()).rows
    await undoFormingCandles()
    await migrations['0011-forming-candles']?.up(market.db)
    expect((await all()).rows).toEqual(before)
    expect(await closed()).toBe(before.length - 6)
    nowMs += 5_000
    await market.buy(player, token, '1')
    await market.buy(player, other, '1')
    expect(await auditMarket(market.pool)).toMatchObject({ differences: 0, shown: [] })
  })

  /** Restores the old tables. */
  async function undoFormingCandles(): Promise<void> {
    await sql`insert into closed_candles select c.* from candles c
      where not exists (select from closed_candles k where (k.token_id, k.width, k.bucket) = (c.token_id, c.width, c.bucket))`.execute(
      market.db,
    )
    await sql`drop view candles`.execute(market.db)
    await sql`alter table closed_candles rename to candles`.execute(market.db)
    await sql`alter table candles rename constraint closed_candles_pkey to candles_pkey`.execute(market.db)
    await sql`drop function assert_current`.execute(market.db)
    await sql`drop index holdings_player`.execute(market.db)
    await sql`create index holdings_user on holdings (user_id)`.execute(market.db)
    for (const [name] of FORMING) {
      for (const column of ['open', 'high', 'low', 'volume', 'trades']) {
        await sql`alter table pools drop column ${sql.ref(`${name}_${column}`)}`.execute(market.db)
      }
    }
  }
})
