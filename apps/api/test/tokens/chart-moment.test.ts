import { Decimal } from '@papermoon/amm'
import { createTestMarket } from '@papermoon/engine/testing'
import { afterAll, expect, it } from 'vitest'
import { QueryCache } from '../../src/cache/query-cache.ts'
import type { App } from '../../src/context.ts'
import { getChart } from '../../src/features/tokens/chart/chart.ts'
import { createIdleFeed } from '../support/idle-feed.ts'

const market = await createTestMarket()
afterAll(() => market.close())

it('a chart shows one snapshot of its token, however fast others trade', async () => {
  const player = await market.addPlayer()
  const tokenId = await market.launch(player)
  const clock = { now: () => new Date() }
  const feed = createIdleFeed()
  let isTrading = true
  const trading = (async () => {
    while (isTrading) await market.buy(player, tokenId, '0.001')
  })()
  try {
    for (let read = 0; read < 100; read++) {
      // Empties the cache.
      const app = { platform: { db: market.db, clock }, market: { queryCache: new QueryCache({ feed, clock }) } } as App
      const chart = await getChart(app, { id: tokenId, timeframe: 'ALL' })
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
