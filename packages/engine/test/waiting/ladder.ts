import { parseTokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { DatabaseClient } from '@papermoon/db'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Order } from '../../src/orders.ts'
import { readBooks, type TestMarket } from '../support/test-market.ts'

export const ORDERS = 600

/** A token with limit buys below each other, and a sale that reaches all of them. */
export interface Ladder {
  readonly tokenId: TokenId
  readonly sale: Extract<Order, { kind: 'sell' }>
}

export async function openLadder(market: TestMarket): Promise<Ladder> {
  const seller = await market.addPlayer('1000')
  const tokenId = await market.launch(seller)
  const { position } = await market.buy(seller, tokenId, '100')
  const owners: UserId[] = []
  for (let i = 0; i < 30; i++) owners.push(await market.addPlayer('1000'))
  // Insert the orders directly, because players could place them only one by one.
  await sql`
    insert into waiting_orders (token_id, user_id, account_id, kind, price, amount, left_amount, below, request_key, digest,
      placed_at, expires_at)
    select ${tokenId}, owner, owner, 'buy', p.price * part / 0.997, 0.05, 0.05, p.price * part, 'rung ' || n, '', now(),
           now() + interval '1 day'
      from pools p cross join generate_series(1, ${ORDERS}::int) n
     cross join lateral (select 0.99 - n::numeric / 2000 as part, (${owners}::int[])[1 + n % 30] as owner) share
     where p.token_id = ${tokenId}`.execute(market.db)
  await sql`update pools set book = book + 1, book_below = price where token_id = ${tokenId}`.execute(market.db)
  return { tokenId, sale: { kind: 'sell', userId: seller, tokenId, tokens: parseTokens(position.amount) } }
}

/**
 * Waits until all orders are filled. Checks that each was filled once, the nearest first, and that all sums are right.
 */
export async function expectSwept({ db }: Pick<DatabaseClient, 'db'>, { tokenId }: Ladder): Promise<void> {
  const read = async () =>
    await db.selectFrom('waiting_orders').selectAll().where('token_id', '=', tokenId).orderBy('id').execute()
  // No further order comes, so the remaining nodes must continue the cascade by themselves.
  await expect.poll(async () => (await read()).every(({ state }) => state === 'filled'), { timeout: 60_000 }).toBe(true)
  const fills = await readFills({ db }, tokenId)
  expect(fills).toEqual((await read()).map(({ id }) => `order ${id} fill 1`))
  const pools = await db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).execute()
  expect(pools).toMatchObject([{ cascade_from: null, book_below: null, seq: ORDERS + 2 }])
  expect(await readBooks({ db })).toMatchObject({ unbalancedTokens: 0, unbalancedPlayers: 0, brokenSequences: 0 })
}

/** Returns the keys of a token's fills, in order. */
export async function readFills({ db }: Pick<DatabaseClient, 'db'>, tokenId: TokenId): Promise<(string | null)[]> {
  const fills = await db
    .selectFrom('trades')
    .select('request_key')
    .where('token_id', '=', tokenId)
    .where('request_key', 'like', 'order %')
    .orderBy('seq')
    .execute()
  return fills.map(({ request_key }) => request_key)
}
