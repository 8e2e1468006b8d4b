import type { TokenId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newestTrades } from '../../src/features/tokens/store.ts'

let market: TestMarket
let token: TokenId
beforeAll(async () => {
  market = await createTestMarket()
  const player = await market.addPlayer()
  token = await market.launch(player)
  const other = await market.launch(player)
  for (let i = 0; i < 6; i++) await market.buy(player, i % 2 === 0 ? token : other, '1')
  await sql`insert into closed_candles (token_id, width, bucket, open, high, low, close, volume, trades)
    select ${token}, 3600, timestamptz '2020-01-01' + n * interval '1 hour', 1, 1, 1, 1, 1, 1 from generate_series(1, 50) n`.execute(
    market.db,
  )
  for (const table of ['trades', 'closed_candles']) await sql`vacuum (analyze) ${sql.table(table)}`.execute(market.db)
})
afterAll(() => market?.close())

/** PostgreSQL would scan tables this small. */
async function planBy(explain: (db: TestMarket['db']) => Promise<{ 'QUERY PLAN': string }[]>): Promise<string> {
  return await market.db.connection().execute(async (db) => {
    await sql`set enable_seqscan = off`.execute(db)
    await sql`set enable_sort = off`.execute(db)
    const rows = await explain(db)
    await sql`reset all`.execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
}

it('reads the newest trades of a token from their index alone', async () => {
  const plan = await planBy((db) => newestTrades(db, token, 2).explain<{ 'QUERY PLAN': string }>())
  expect(plan).toContain('Index Only Scan Backward using trades_sequence')
  expect((await newestTrades(market.db, token, 2).execute()).map(({ seq }) => seq)).toEqual([3, 2])
})

it('reads the candles of a token from their index alone', async () => {
  const plan = await planBy(async (db) => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select bucket, open, high, low, close, volume
      from candles where token_id = ${token} and width = 3600 and bucket >= timestamptz '2020-01-02'`.execute(db)
    return rows
  })
  expect(plan).toContain('Index Only Scan using closed_candles_pkey')
})
