import type { TokenId, UserId } from '@papermoon/contract/ids'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aToken, createTestMarket, type TestMarket } from './support/test-market.ts'

let market: TestMarket
let creator: UserId
let player: UserId
let token: TokenId
beforeEach(async () => {
  market = await createTestMarket()
  creator = await market.addPlayer()
  player = await market.addPlayer()
  token = await market.launch(creator)
})
afterEach(() => market.close())

/** Reads all positions in the tables whose rows are never overwritten, in order, and the counter. */
async function readPositions() {
  const { rows } = await sql<{ position: number; kind: string }>`
    select position, 'launch' as kind from tokens union all select id, 'trade' from trades
    union all select position, 'rug' from rugs union all select position, 'seal' from seals order by position`.execute(
    market.db,
  )
  const { position: last } = await market.db.selectFrom('journal').select('position').executeTakeFirstOrThrow()
  return { kinds: rows.map(({ kind }) => kind), places: rows.map(({ position }) => position), last }
}

it('gives launches, trades, seals and rug pulls consecutive positions without a gap', async () => {
  const seal = { kind: 'seal', userId: creator, tokenId: token, term: 'hour', bag: false } as const
  const other = market.openEngine()
  await Promise.all([
    market.engine.submit(seal),
    ...Array.from({ length: 20 }, () => market.buy(player, token, '0.01').catch(() => null)),
    other.submit({ kind: 'launch', userId: player, token: aToken }),
    market.launch(creator, '0.1'),
  ])
  const { kinds, places, last } = await readPositions()
  expect(places).toEqual(places.map((_, i) => i + 1))
  expect(last).toBe(places.length)
  expect(new Set(kinds)).toEqual(new Set(['launch', 'trade', 'seal']))
})

it('gives a rug pull a position after the trades of its batch', async () => {
  await Promise.all([
    market.buy(player, token, '1'),
    market.engine.submit({ kind: 'rug', userId: creator, tokenId: token }),
  ])
  expect((await readPositions()).kinds).toEqual(['launch', 'trade', 'rug'])
})

it('leaves no gap if a transaction rolls back', async () => {
  await expect(
    market.db.transaction().execute(async (tx) => {
      await sql`select next_position(10)`.execute(tx)
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  const { trade } = await market.buy(player, token, '1')
  expect(trade.id).toBe(2)
})

it('lets orders through while an open transaction has written a row that gets its position at the commit', async () => {
  await sql`insert into posts (topic, user_id, text, skeleton, created_at) values (${token}, ${player}, 'one', 1, now())`.execute(
    market.db,
  )
  const { trade } = await market.db.transaction().execute(async (tx) => {
    await sql`update posts set changed_position = -id`.execute(tx)
    return await market.buy(player, token, '1')
  })
  const { rows } = await sql`select position, changed_position from posts`.execute(market.db)
  expect(rows).toEqual([{ position: 2, changed_position: trade.id + 1 }])
})
