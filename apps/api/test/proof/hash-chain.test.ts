import { parseSol } from '@papermoon/amm'
import { findBreak } from '@papermoon/chain'
import type { UserId } from '@papermoon/engine'
import { aToken, createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { browserSha256, keptChain } from '../shared/kept-chain.ts'
import { rewriteChain } from '../shared/rewrite-chain.ts'

let market: TestMarket
let player: UserId
beforeEach(async () => {
  market = await createTestMarket()
  player = await market.addPlayer()
})
afterEach(() => market.close())

/** The first broken entry of a token, as a browser finds it; also checks the pool's hash. */
async function verify(tokenId: number): Promise<number | null> {
  const { genesis, entries, head } = await keptChain(market, tokenId)
  expect(head).toBe(entries.at(-1)?.hash ?? genesis)
  return await findBreak({ seq: 0, hash: genesis }, entries, browserSha256)
}

/** A launch with a first buy, a buy, a sale and a rug pull; its name needs escapes. */
async function aWholeLife(): Promise<number> {
  const token = { ...aToken, name: 'Say "moon" \\ é 🌙\u007f', symbol: "M'" }
  const { tokenId } = await market.engine.submit({ kind: 'launch', userId: player, token })
  await market.buy(player, tokenId, '2.5')
  await market.sell(player, tokenId, '1000.123456')
  await market.buy(player, tokenId, '0.7')
  await market.engine.submit({ kind: 'rug', userId: player, tokenId })
  return tokenId
}

describe('the chain of a token', () => {
  it('starts with the launch and includes first buy, trades and rug pull', async () => {
    const fresh = await market.launch(player)
    const bought = await market.launch(player, '1')
    const rugged = await aWholeLife()
    expect([await verify(fresh), await verify(bought), await verify(rugged)]).toEqual([null, null, null])
    const kinds = (await keptChain(market, rugged)).entries.map(({ kind }) => kind)
    expect(kinds).toEqual(['buy', 'sell', 'buy', 'rug'])
  })

  it('stays one chain when two nodes trade the token at once', async () => {
    const tokenId = await market.launch(player)
    const other = market.openEngine()
    const orders = Array.from({ length: 60 }, async (_, i) => {
      const userId = await market.addPlayer()
      return await (i % 2 ? other : market.engine).submit({ kind: 'buy', userId, tokenId, sol: parseSol('0.01') })
    })
    await Promise.all(orders)
    expect((await keptChain(market, tokenId)).entries).toHaveLength(60)
    expect(await verify(tokenId)).toBe(null)
  })

  it('reveals a changed and a deleted trade, and not a complete rewrite', async () => {
    const tokenId = await aWholeLife()
    const { head } = await keptChain(market, tokenId)
    await sql`update trades set fee = fee + 0.000000001 where token_id = ${tokenId} and seq = 2`.execute(market.db)
    expect(await verify(tokenId)).toBe(2)
    await sql`delete from trades where token_id = ${tokenId} and seq = 1`.execute(market.db)
    expect(await verify(tokenId)).toBe(2)
    await rewriteChain(market, tokenId)
    expect(await verify(tokenId)).toBe(null)
    expect((await keptChain(market, tokenId)).head).not.toBe(head)
  })
})
