import { Decimal, tokensText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TooManyOrdersError } from '../src/errors.ts'
import type { TradeReceipt } from '../src/orders.ts'
import { balancedBooks, createTestMarket, readBooks, type TestMarket } from './support/test-market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await createTestMarket()
})
afterAll(() => market?.close())

const PLAYERS = 20
const TOKENS = 5
const ORDERS = 200

/** Retries while the player has eight pending orders, like a client after a 429. */
async function retryWhenFree(order: () => Promise<unknown>): Promise<TradeReceipt> {
  for (;;) {
    try {
      return (await order()) as TradeReceipt
    } catch (error) {
      if (!(error instanceof TooManyOrdersError)) throw error
      await new Promise(setImmediate)
    }
  }
}

it('keeps the books exact through 200 concurrent buys and sells of 20 players on 5 tokens', async () => {
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => market.addPlayer()))
  const tokens = await Promise.all(players.slice(0, TOKENS).map((creator) => market.launch(creator)))
  const trade = async (i: number): Promise<TradeReceipt> => {
    const userId = players[i % PLAYERS] as UserId
    const tokenId = tokens[(i * 7) % TOKENS] as TokenId
    const bought = await retryWhenFree(() => market.buy(userId, tokenId, `0.${i + 1}`))
    if (i % 2 === 0) return bought
    const third = tokensText(new Decimal(bought.trade.tokenAmount).div(3).toDecimalPlaces(6))
    return await retryWhenFree(() => market.sell(userId, tokenId, third))
  }
  const receipts = await Promise.all(Array.from({ length: ORDERS }, (_, i) => trade(i)))
  expect(receipts).toHaveLength(ORDERS)
  expect(await readBooks(market)).toEqual(balancedBooks('2000'))
  expect(await market.db.selectFrom('trades').select('id').execute()).toHaveLength(ORDERS + ORDERS / 2)
})

it('publishes every event of a token once and in commit order', () => {
  const seqs = new Map<number, number>()
  for (const event of market.events) {
    if (event.type === 'trade') expect(event.seq).toBe((seqs.get(event.tokenId) ?? 0) + 1)
    seqs.set(event.tokenId, event.seq)
  }
  expect(seqs.size).toBe(TOKENS)
})

it('keeps candles that agree with the trades', async () => {
  const trades = await market.db.selectFrom('trades').selectAll().orderBy('token_id').orderBy('seq').execute()
  const candles = await market.db
    .selectFrom('candles')
    .selectAll()
    .where('width', '=', 86_400)
    .orderBy('token_id')
    .orderBy('bucket')
    .execute()
  for (const tokenId of new Set(trades.map((row) => row.token_id))) {
    const mine = trades.filter((row) => row.token_id === tokenId)
    const kept = candles.filter((row) => row.token_id === tokenId)
    const volume = mine.reduce(
      (sum, row) => sum.add(row.sol_amount).add(row.side === 'sell' ? row.fee : 0),
      new Decimal(0),
    )
    const keptVolume = kept.reduce((sum, row) => sum.add(row.volume), new Decimal(0))
    const prices = mine.map((row) => new Decimal(row.spot_price))
    expect(keptVolume.toFixed()).toBe(volume.toFixed())
    expect(kept.reduce((sum, row) => sum + row.trades, 0)).toBe(mine.length)
    expect(new Decimal(kept.at(-1)?.close ?? 0).toFixed()).toBe(prices.at(-1)?.toFixed())
    expect(kept[0]?.open).toBe('0.000000030000000000')
    expect(Decimal.max(...kept.map((row) => row.high)).toFixed()).toBe(Decimal.max(...prices, '0.00000003').toFixed())
  }
})
