import { Decimal } from '@papermoon/amm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { App } from '../src/context.ts'
import { chartOf } from '../src/features/tokens/chart.ts'
import { createTestMarket, type TestMarket } from './market.ts'

let market: TestMarket
beforeAll(async () => {
  market = await createTestMarket()
})
afterAll(() => market.close())

it('a chart is one moment of its token, however fast others trade', async () => {
  const player = await market.addPlayer()
  const tokenId = await market.launch(player)
  const app = { db: market.db, clock: { now: () => new Date() } } as App
  let isTrading = true
  const trading = (async () => {
    while (isTrading) await market.buy(player, tokenId, '0.001')
  })()
  try {
    for (let read = 0; read < 100; read++) {
      const chart = await chartOf(app, { id: tokenId, timeframe: 'ALL' })
      const volume = chart.candles.reduce((sum, candle) => sum.add(candle.volume), new Decimal(0))
      expect(chart.totalTrades).toBe(chart.seq)
      expect(chart.ticks.at(-1)?.seq ?? 0).toBe(chart.seq)
      expect(volume.toFixed()).toBe(new Decimal('0.001').mul(chart.seq).toFixed())
    }
  } finally {
    isTrading = false
    await trading
  }
})
