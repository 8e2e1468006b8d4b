import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findTrades, newestTrades } from '../src/features/tokens/store.ts'
import { createTestMarket, type TestMarket } from './market.ts'

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

it('reads the newest trades of a token out of their index, without a look at the journal', async () => {
  const player = await market.addPlayer()
  const [token, other] = [await market.launch(player), await market.launch(player)]
  for (let i = 0; i < 6; i++) await market.buy(player, i % 2 === 0 ? token : other, '1')
  await sql`vacuum (analyze) trades`.execute(market.db)
  // Of a table this small PostgreSQL would read the whole of it.
  const plan = await market.db.connection().execute(async (db) => {
    await sql`set enable_seqscan = off; set enable_sort = off`.execute(db)
    const rows = await newestTrades(db, token, 2).explain<Record<'QUERY PLAN', string>>()
    await sql`reset all`.execute(db)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toContain('Index Only Scan Backward using trades_sequence')
  expect((await findTrades(market.db, token, 2)).map(({ seq }) => seq)).toEqual([3, 2])
})
