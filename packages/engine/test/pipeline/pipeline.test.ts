import { parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openNode } from '../support/open-node.ts'
import { balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

it('works with a single connection', async () => {
  const players = [await market.addPlayer(), await market.addPlayer()] as [UserId, UserId]
  const tokens: TokenId[] = []
  for (let n = 0; n < 3; n++) tokens.push(await market.launch(players[0]))
  const { engine } = openNode(market.address, { poolMax: 1, connectTimeoutMs: 3_000 })
  for (let round = 0; round < 5; round++) {
    const orders = players.flatMap((userId) =>
      tokens.map((tokenId) => engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol('1') })),
    )
    await Promise.all(orders)
  }
  expect(await readBooks(market)).toEqual(balancedBooks('200'))
})

it('continues if publishing its events fails', async () => {
  const players = [await market.addPlayer(), await market.addPlayer()] as [UserId, UserId]
  const tokenId = await market.launch(players[0])
  let calls = 0
  const publish = () => {
    if (++calls === 1) throw new Error('publish failed')
  }
  const { engine } = openNode(market.address, { publish })
  const buy = () => engine.submit({ kind: 'buy', userId: players[0], tokenId, sol: parseSol('1') })
  expect((await buy()).trade.seq).toBe(1)
  expect((await buy()).trade.seq).toBe(2)
})
