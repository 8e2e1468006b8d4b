import { Decimal, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import { beforeEach, describe, expect, it } from 'vitest'
import type { QueryCache } from '../../src/cache/query-cache.ts'
import { getResults } from '../../src/features/users/results.ts'
import { shareTurnedMarket } from '../support/turned-market.ts'

let player: UserId
let other: UserId
let tokenId: TokenId
const market = await shareTurnedMarket()
beforeEach(async () => {
  player = await market.addPlayer()
  other = await market.addPlayer()
  tokenId = await market.launch(other)
})
/** Reads each time. */
const queryCache = { get: (_query: unknown, _input: unknown, read: () => Promise<unknown>) => read() } as QueryCache
const results = (id = player) => getResults({ platform: { db: market.db }, market: { queryCache } }, id)

const sellHalf = async () => {
  const half = (await market.heldBy(player, tokenId)).div(2).toDecimalPlaces(6)
  const { trade } = await market.engine.submit({ kind: 'sell', userId: player, tokenId, tokens: half })
  return new Decimal(trade.solAmount)
}

describe('results over closed positions', () => {
  it('are zeros for a player who never traded', async () => {
    const nothing = { closedProfit: '0', closedPositions: 0, wonPositions: 0, openProfit: '0', openPositions: 0 }
    expect(await results()).toEqual({ ...nothing, notCounted: { partialSales: '0', rugs: '0', launchFees: '0' } })
  })

  it('count nothing of half a holding that was sold, however much it brought', async () => {
    await market.buy(player, tokenId, '10')
    await market.buy(other, tokenId, '50')
    const received = await sellHalf()
    expect(received.gt(10)).toBe(true)
    expect(await results()).toMatchObject({ closedProfit: '0', closedPositions: 0, wonPositions: 0, openPositions: 1 })
  })

  it('are all that was received less all that was paid, once nothing is held any more', async () => {
    await market.buy(player, tokenId, '10')
    await market.buy(other, tokenId, '50')
    const first = await sellHalf()
    await market.buy(player, tokenId, '1')
    const second = await market.sellAll(player, tokenId)
    expect(await results()).toMatchObject({
      closedPositions: 1,
      wonPositions: 1,
      openProfit: '0',
      openPositions: 0,
      closedProfit: solText(first.add(second).sub(11)),
    })
  })

  it('tell one position of a token from the next', async () => {
    await market.buy(player, tokenId, '10')
    const lost = (await market.sellAll(player, tokenId)).sub(10)
    await market.buy(player, tokenId, '2')
    await market.buy(other, tokenId, '20')
    const won = (await market.sellAll(player, tokenId)).sub(2)
    await market.buy(player, tokenId, '3')
    expect(await results()).toMatchObject({
      closedPositions: 2,
      wonPositions: 1,
      openPositions: 1,
      closedProfit: solText(lost.add(won)),
    })
  })

  it('have the loss of a rugged token, which nobody can sell any more', async () => {
    await market.buy(player, tokenId, '10')
    const received = await sellHalf()
    await market.rug(other, tokenId)
    expect(await results()).toMatchObject({
      closedPositions: 1,
      wonPositions: 0,
      openProfit: '0',
      openPositions: 0,
      closedProfit: solText(received.sub(10)),
    })
  })

  it('have nothing of what a rug pull took', async () => {
    const own = await market.launch(player, '5')
    await market.buy(other, own, '50')
    await market.rug(player, own)
    expect(await results()).toMatchObject({ closedProfit: '-5', closedPositions: 1, wonPositions: 0 })
  })

  it('tell what open positions would bring, from what they cost', async () => {
    await market.buy(player, tokenId, '10')
    const { openProfit, openPositions } = await results()
    expect(openPositions).toBe(1)
    expect(new Decimal(openProfit).lt(0)).toBe(true)
    const received = await market.sellAll(player, tokenId)
    expect(openProfit).toBe(solText(received.sub(10)))
  })
})
