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
