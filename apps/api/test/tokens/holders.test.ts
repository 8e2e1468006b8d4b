import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { findHolders } from '../../src/features/tokens/holders.ts'

/** The smallest large holding, a two-thousandth of the supply. */
const LARGE = 500_000
const SHOWN = 20

const market = await createTestMarket()
const creator = await market.addPlayer()
const others = await Promise.all(Array.from({ length: 60 }, () => market.addPlayer()))
afterAll(() => market.close())

/** Launches a token and inserts these holdings without trades. */
async function tokenHeldAs(amounts: readonly string[]): Promise<TokenId> {
  const tokenId = await market.launch(creator)
  for (const [i, amount] of amounts.entries()) {
    await market.db
      .insertInto('holdings')
      .values({ token_id: tokenId, user_id: others[i] as UserId, amount, cost: '0' })
      .execute()
  }
  return tokenId
}

describe('the holders of a token', () => {
  it.each([0, 1, SHOWN - 1, SHOWN, SHOWN + 1, 40])('are the largest ones, with %i large holdings', async (large) => {
    // Each amount occurs twice, and the amounts are not sorted.
    const amounts = Array.from({ length: 50 }, (_, i) => {
      const place = (i * 17) % 50
      return place < large ? `${LARGE + (place >> 1)}` : `${LARGE - 1 - (place >> 1)}.999999`
    })
    const sorted = amounts
      .map((amount, i) => ({ amount, user_id: others[i] as UserId }))
      .sort((a, b) => Number(b.amount) - Number(a.amount) || a.user_id - b.user_id)
    const found = await findHolders(market.db, await tokenHeldAs(amounts), SHOWN)
    expect(found.map(({ user_id, amount }) => [user_id, Number(amount)])).toEqual(
      sorted.slice(0, SHOWN).map(({ user_id, amount }) => [user_id, Number(amount)]),
    )
  })

  it('do not include players who sold everything', async () => {
    const tokenId = await tokenHeldAs(['0', '5', '0', `${LARGE}`])
    expect((await findHolders(market.db, tokenId, SHOWN)).map(({ user_id }) => user_id)).toEqual([others[3], others[1]])
  })

  it('need no index update while a holding stays large or stays small', async () => {
    const tokenId = await tokenHeldAs(['5', `${LARGE}`])
    const inPlace = await market.db.transaction().execute(async (tx) => {
      const counts: number[] = []
      for (const amount of [6, LARGE + 1]) {
        await sql`update holdings set amount = greatest(amount, ${amount}) where token_id = ${tokenId}
          and is_large = (${amount} >= ${LARGE})`.execute(tx)
        const { rows } = await sql<{ count: number }>`
          select pg_stat_get_xact_tuples_hot_updated('holdings'::regclass)::int as count`.execute(tx)
        counts.push(rows[0]?.count ?? 0)
      }
      return counts
    })
    expect(inPlace).toEqual([1, 2])
  })
})
