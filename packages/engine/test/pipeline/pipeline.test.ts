import { parseSol } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { connect } from '@papermoon/db'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { createTradingEngine } from '../../src/trading-engine.ts'
import { balancedBooks, createTestMarket, readBooks, type TestMarket } from '../support/test-market.ts'

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

it('works with a single connection', async () => {
  const players = [await market.addPlayer(), await market.addPlayer()] as [UserId, UserId]
  const tokens = [await launch(players), await launch(players), await launch(players)]
  const { pool, close } = connect(market.address, { poolMax: 1, connectTimeoutMs: 3_000 })
  const engine = createTradingEngine({ pool, clock: systemClock, log: pino({ level: 'silent' }), publish: () => {} })
  for (let round = 0; round < 5; round++) {
    const orders = players.flatMap((userId) =>
      tokens.map((tokenId) => engine.submit({ kind: 'buy', userId, tokenId, sol: parseSol('1') })),
    )
    await Promise.all(orders)
  }
  await engine.close()
  await close()
  expect(await readBooks(market)).toEqual(balancedBooks('200'))
})

it('continues when publishing its events fails', async () => {
  const players = [await market.addPlayer(), await market.addPlayer()] as [UserId, UserId]
  const tokenId = await launch(players)
  let calls = 0
  const publish = () => {
    if (++calls === 1) throw new Error('publish failed')
  }
  const engine = createTradingEngine({ pool: market.pool, clock: systemClock, log: pino({ level: 'silent' }), publish })
  const buy = () => engine.submit({ kind: 'buy', userId: players[0], tokenId, sol: parseSol('1') })
  expect((await buy()).trade.seq).toBe(1)
  expect((await buy()).trade.seq).toBe(2)
  await engine.close()
})

async function launch([creator]: [UserId, UserId]): Promise<TokenId> {
  return await market.launch(creator)
}
