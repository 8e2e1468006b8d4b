import { Decimal } from '@papermoon/amm'
import {
  type Candle,
  type Chart,
  chartInput,
  INTERVAL_CANDLES_MAX,
  INTERVAL_TRADES_MAX,
} from '@papermoon/contract/tokens'
import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { QueryCache } from '../../src/cache/query-cache.ts'
import type { App } from '../../src/context.ts'
import { planFullChart } from '../../src/features/tokens/chart/candle-plan.ts'
import { getChart } from '../../src/features/tokens/chart/chart.ts'
import { createIdleFeed } from '../support/idle-feed.ts'
import { generator } from '../support/random-trading.ts'

const START_MS = Date.parse('2026-01-01T12:00:07.345Z')
const MINUTE_MS = 60_000

let market: TestMarket
let app: App
let player: UserId
let token: TokenId
let nowMs: number
const clock = { now: () => new Date(nowMs) }
beforeAll(async () => {
  market = await createTestMarket({ clock })
})
afterAll(() => market?.close())
beforeEach(async () => {
  nowMs = START_MS
  const feed = createIdleFeed()
  app = { platform: { db: market.db, clock }, market: { queryCache: new QueryCache({ feed, clock }) } } as App
  player = await market.addPlayer()
  token = await market.launch(player)
})

async function readChart(input: { timeframe?: Chart['timeframe']; interval?: '1s' | '5s' | '15s' | 'auto' }) {
  // Clear the cache, because this feed does not receive the trades of the test's engine.
  app.market.queryCache.invalidateAll()
  return await getChart(app, chartInput.parse({ id: token, ...input }))
}

/** Merges candles to minutes. */
function toMinutes(candles: readonly Candle[]): Candle[] {
  const minutes = new Map<string, Candle>()
  for (const candle of candles) {
    const time = new Date(Math.floor(Date.parse(candle.time) / MINUTE_MS) * MINUTE_MS).toISOString()
    const minute = minutes.get(time)
    const high = Decimal.max(candle.high, minute?.high ?? candle.high).toFixed()
    const low = Decimal.min(candle.low, minute?.low ?? candle.low).toFixed()
    const volume = new Decimal(candle.volume).add(minute?.volume ?? 0).toFixed()
    minutes.set(time, { time, open: minute?.open ?? candle.open, high, low, close: candle.close, volume })
  }
  return [...minutes.values()]
}

/** Trades with random pauses between none and minutes, and pulls the rug at the end. */
async function tradeAtRandom(seed: number): Promise<void> {
  const random = generator(seed)
  const pausesMs = [0, 0, 1, 400, 3_000, 14_000, 95_000]
  for (let trades = 0; trades < 60; trades++) {
    nowMs += pausesMs[random(pausesMs.length)] ?? 0
    if (random(3) === 0 && trades > 5) await market.sell(player, token, String(100_000 + random(900_000)))
    else await market.buy(player, token, `0.${1 + random(9)}`)
  }
  nowMs += 2_000
  await market.engine.submit({ kind: 'rug', userId: player, tokenId: token })
}

/**
 * Inserts `count` trades of 1 SOL, `pauseMs` apart, at prices from 1 to 7, and stores their minute candles like the
 * engine.
 */
async function tradeOften(count: number, pauseMs: number): Promise<void> {
  await market.buy(player, token, '1')
  await sql`insert into trades (id, token_id, seq, user_id, side, sol_amount, fee, token_amount, price,
      sol_reserve, token_reserve, spot_price, created_at, hash)
    select first + n - 1, token_id, seq + n, user_id, side, 1, fee, token_amount, price, sol_reserve, token_reserve,
           case n when 5 then 9 else 1 + n % 7 end, created_at + n * ${pauseMs}::int * interval '1 millisecond', hash
      from trades, next_position(${count}) first, generate_series(1, ${count}::int) n where token_id = ${token}`.execute(
    market.db,
  )
  nowMs += count * pauseMs
  await sql`
    with moves as (
      select *, lag(spot_price, 1, spot_price) over (order by seq) as before from trades where token_id = ${token}
    ), minutes as (
      select date_bin('60 seconds', created_at, 'epoch') as bucket, (array_agg(before order by seq))[1] as open,
             max(greatest(before, spot_price)) as high, min(least(before, spot_price)) as low,
             (array_agg(spot_price order by seq desc))[1] as close, sum(sol_amount) as volume, count(*) as trades
        from moves group by 1
    ), closed as (
      insert into closed_candles (token_id, width, bucket, open, high, low, close, volume, trades)
      select ${token}, 60, minutes.* from minutes where bucket < (select max(bucket) from minutes)
    ), forming as (select * from minutes order by bucket desc limit 1)
    update pools set seq = ${count + 1}, last_event_at = ${new Date(nowMs)}, price = close, minute_open = open,
           minute_high = high, minute_low = low, minute_volume = volume, minute_trades = trades
      from forming where token_id = ${token}`.execute(market.db)
}

describe('candles computed from trades', () => {
  for (const seed of [1, 2]) {
    it(`add up to exactly the stored minutes, including a rug pull (market ${seed})`, async () => {
      await tradeAtRandom(seed)
      const stored = await readChart({ timeframe: '1H' })
      expect(stored.candles.length).toBeGreaterThan(5)
      for (const interval of ['1s', '5s', '15s'] as const) {
        const chart = await readChart({ timeframe: '1H', interval })
        expect(chart.width).toBe(Number.parseInt(interval, 10))
        expect(chart.candles.length).toBeGreaterThan(stored.candles.length)
        expect(toMinutes(chart.candles)).toEqual(stored.candles)
        expect({ high: chart.high, low: chart.low, seq: chart.seq }).toEqual({
          high: stored.high,
          low: stored.low,
          seq: stored.seq,
        })
      }
    })
  }

  it('start an hour ago, and open at the price before their first trade', async () => {
    await market.buy(player, token, '1')
    nowMs += 59 * MINUTE_MS
    await market.buy(player, token, '1')
    const both = await readChart({ timeframe: '1H', interval: '5s' })
    expect(both.candles).toHaveLength(2)
    nowMs += 2 * MINUTE_MS
    const one = await readChart({ timeframe: '1H', interval: '5s' })
    expect(one.candles).toEqual(both.candles.slice(1))
    expect(one.candles[0]?.open).toBe(both.candles[0]?.close)
    nowMs += 60 * MINUTE_MS
    expect((await readChart({ timeframe: '1H', interval: '5s' })).candles).toEqual([])
  })

  it('include the newest trades only, and either all or none of a candle’s trades', async () => {
    await tradeOften(INTERVAL_TRADES_MAX + 499, 100)
    const fives = await readChart({ timeframe: '1H', interval: '5s' })
    expect(fives.candles.slice(0, -1).map(({ volume }) => volume)).toEqual(
      Array.from({ length: fives.candles.length - 1 }, () => '50'),
    )
    const used = fives.candles.reduce((sum, { volume }) => sum + Number(volume), 0)
    expect(used).toBeLessThanOrEqual(INTERVAL_TRADES_MAX)
    expect(used).toBeGreaterThan(INTERVAL_TRADES_MAX - 100)
    expect((await readChart({ timeframe: '1H', interval: '1s' })).candles.length).toBeLessThanOrEqual(
      INTERVAL_CANDLES_MAX,
    )
  })
})

describe('the interval auto', () => {
  it.each([
    [10, 1],
    [239, 1],
    [241, 5],
    [719, 5],
    [721, 15],
    [2_879, 15],
    [2_881, 60],
    [5 * 3_600 + 60, 120],
  ])('gives a token of %i seconds candles of %i seconds', async (ageS, width) => {
    await market.buy(player, token, '1')
    nowMs += ageS * 1_000
    const chart = await readChart({ interval: 'auto' })
    expect(chart.width).toBe(width)
    expect(chart.candles).toHaveLength(1)
  })

  it('fits the chart of a rugged token to the token’s life, however long ago that was', async () => {
    await market.buy(player, token, '1')
    nowMs += 2 * MINUTE_MS
    await market.engine.submit({ kind: 'rug', userId: player, tokenId: token })
    const fresh = await readChart({ interval: 'auto' })
    expect([fresh.width, fresh.candles.length]).toEqual([1, 2])
    nowMs += 30 * 86_400_000
    for (const timeframe of ['1H', 'ALL'] as const) {
      const { width, candles } = await readChart({ timeframe, interval: 'auto' })
      expect({ width, candles }).toEqual({ width: fresh.width, candles: fresh.candles })
    }
  })

  it('narrows only timeframes that are longer than the token’s life', async () => {
    await market.buy(player, token, '1')
    nowMs += 5 * MINUTE_MS
    const widths = async () => {
      const charts = await Promise.all(
        (['1H', '24H', '7D', 'ALL'] as const).map(
          async (timeframe) => await getChart(app, { id: token, timeframe, interval: 'auto' }),
        ),
      )
      return charts.map(({ width }) => width)
    }
    expect(await widths()).toEqual([5, 5, 5, 5])
    nowMs += 90 * MINUTE_MS
    expect(await widths()).toEqual([60, 60, 60, 60])
    nowMs += 10 * 86_400_000
    expect((await widths()).slice(0, 3)).toEqual([60, 300, 3_600])
  })

  it.each([
    { pauseMs: 10, width: 1, since: 120 },
    { pauseMs: 20, width: 5, since: 240 },
    { pauseMs: 100, width: 15, since: 1_200 },
  ])('fills the chart of a token with 12,500 trades $pauseMs ms apart from the newest', async (busy) => {
    await tradeOften(12_500, busy.pauseMs)
    const chart = await readChart({ interval: 'auto' })
    expect(chart.width).toBe(busy.width)
    const firstMs = Date.parse(chart.candles[0]?.time ?? '')
    expect(nowMs - firstMs).toBeGreaterThan((busy.since - 2 * busy.width) * 1_000)
    expect(nowMs - firstMs).toBeLessThanOrEqual((busy.since + busy.width) * 1_000)
    expect(chart.candles.length).toBeGreaterThanOrEqual(48)
    // All candles except the forming one are complete, and there are no gaps.
    const volume = String((busy.width * 1_000) / busy.pauseMs)
    expect(new Set(chart.candles.slice(0, -1).map((candle) => candle.volume))).toEqual(new Set([volume]))
    for (const [i, candle] of chart.candles.entries()) {
      if (i > 0) expect(candle.open).toBe(chart.candles[i - 1]?.close)
    }
    // The chart contains the highest and lowest price since the launch, even if they are older than the first candle.
    const whole = await readChart({ timeframe: 'ALL' })
    expect(Decimal.max(...chart.candles.map(({ high }) => high)).toFixed()).toBe('7')
    expect([chart.high, chart.low]).toEqual([whole.high, whole.low])
    expect(chart.high).toBe('9')
  })

  it('uses minutes if they show more than the candles of the newest trades', () => {
    const launchedAt = new Date(START_MS)
    const now = new Date(START_MS + 20 * MINUTE_MS)
    const plan = (seconds: number) =>
      planFullChart('ALL', { launchedAt, now, computedSince: new Date(now.getTime() - seconds * 1_000) })
    expect(plan(12)).toMatchObject({ storedWidth: 60, width: 60 })
    expect(plan(19)).toMatchObject({ storedWidth: 60, width: 60 })
    expect(plan(21)).toMatchObject({ storedWidth: null, width: 1 })
  })
})

it('a chart shows one snapshot of its token while others trade', async () => {
  let isTrading = true
  const trading = (async () => {
    while (isTrading) await market.buy(player, token, '0.001')
  })()
  try {
    for (let read = 0; read < 100; read++) {
      const chart = await readChart({ timeframe: 'ALL' })
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

it('rejects candles of seconds over more than an hour', () => {
  const parse = (input: object) => chartInput.safeParse({ id: 1, ...input }).error?.issues[0]?.message
  expect(parse({ interval: '5s' })).toBe('is only for timeframe 1H')
  expect(parse({ timeframe: '24H', interval: '1s' })).toBe('is only for timeframe 1H')
  expect(parse({ timeframe: '1H', interval: '1s' })).toBeUndefined()
  expect(parse({ timeframe: '24H', interval: 'auto' })).toBeUndefined()
})
