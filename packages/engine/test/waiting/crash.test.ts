import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestMarket, readBooks, type TestMarket } from '../../src/testing/test-market.ts'

const ORDERS = 600

let market: TestMarket
let seller: UserId
let tokenId: TokenId
let tokens: string
beforeEach(async () => {
  market = await createTestMarket()
  seller = await market.addPlayer('1000')
  tokenId = await market.launch(seller)
  tokens = (await market.buy(seller, tokenId, '100')).position.amount
  const owners: UserId[] = []
  for (let i = 0; i < 30; i++) owners.push(await market.addPlayer('1000'))
  // Straight into the tables: a ladder that an engine would let players place one by one.
  await sql`
    insert into waiting_orders (token_id, user_id, account_id, kind, price, amount, left_amount, below, request_key, digest,
      placed_at, expires_at)
    select ${tokenId}, owner, owner, 'buy', p.price * part / 0.997, 0.05, 0.05, p.price * part, 'rung ' || n, '', now(),
           now() + interval '1 day'
      from pools p cross join generate_series(1, ${ORDERS}::int) n
     cross join lateral (select 0.99 - n::numeric / 2000 as part, (${owners}::int[])[1 + n % 30] as owner) share
     where p.token_id = ${tokenId}`.execute(market.db)
  await sql`update pools set book = book + 1, book_below = price where token_id = ${tokenId}`.execute(market.db)
})
afterEach(() => market?.close())

/** Lets a process sell into the ladder and kills it after it has published `batches` batches. */
async function sweepAndDie(batches: number): Promise<void> {
  const { address } = market
  const path = join(import.meta.dirname, 'sweep-process.ts')
  const child = spawn(process.execPath, [path, String(seller), String(tokenId), tokens, JSON.stringify(address)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let published = 0
  for await (const _ of createInterface({ input: child.stdout })) if (++published >= batches) child.kill('SIGKILL')
  await ended
}

it.each([1, 3, 6])(
  'a node killed after %d batches of a cascade loses, doubles and reorders nothing',
  async (batches) => {
    await sweepAndDie(batches)
    const read = async () =>
      await market.db.selectFrom('waiting_orders').selectAll().where('token_id', '=', tokenId).orderBy('id').execute()
    // No order comes: the node that is left goes on by itself.
    await expect.poll(async () => (await read()).every(({ state }) => state === 'filled')).toBe(true)
    const fills = await market.db
      .selectFrom('trades')
      .selectAll()
      .where('token_id', '=', tokenId)
      .where('request_key', 'like', 'order %')
      .orderBy('seq')
      .execute()
    // Nearest first, each once.
    expect(fills.map(({ request_key }) => request_key)).toEqual((await read()).map(({ id }) => `order ${id} fill 1`))
    const pools = await market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).execute()
    expect(pools).toMatchObject([{ cascade_from: null, book_below: null, seq: ORDERS + 2 }])
    expect(await readBooks(market)).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
  },
)
