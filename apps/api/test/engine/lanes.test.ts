import { Decimal, parseSol } from '@papermoon/amm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { balanced, createTestMarket, readBooks, type TestMarket } from '../market.ts'

let market: TestMarket
beforeEach(async () => {
  market = await createTestMarket()
})
afterEach(() => market.close())

it('keeps a player’s orders in their order, whatever their tokens, while others trade the same ones', async () => {
  const players = [await market.addPlayer(), await market.addPlayer(), await market.addPlayer()]
  const [creator] = players
  if (creator === undefined) throw new Error('no player')
  const tokens = [await market.launch(creator), await market.launch(creator), await market.launch(creator)]
  const orders = [...tokens, ...tokens, ...tokens.slice(1)]
  const receipts = await Promise.all(
    players.map((userId) =>
      Promise.all(orders.map((tokenId) => market.desk.submit({ kind: 'buy', userId, tokenId, sol: parseSol('1') }))),
    ),
  )
  for (const own of receipts) {
    const balances = own.map(({ standing }) => new Decimal(standing.balance))
    expect(balances).toEqual(balances.toSorted((a, b) => b.cmp(a)))
    const ids = own.map(({ trade }) => trade.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  }
  expect(await readBooks(market)).toEqual(balanced('300'))
})
