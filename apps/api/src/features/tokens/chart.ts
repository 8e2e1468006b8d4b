import { Decimal, priceText, solText } from '@papermoon/amm'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { planCandles } from './candle-plan.ts'
import { getToken } from './get.ts'
import type { Candle, Chart, chartInput } from './schemas.ts'
import { type CandleRow, findCandles } from './store.ts'
import { latestTrades } from './trades.ts'

/** Candles, ticks and figures of a token over a timeframe. Throws `TokenNotFoundError`. */
export async function chartOf(app: App, { id, timeframe }: z.output<typeof chartInput>): Promise<Chart> {
  const token = await getToken(app, id)
  const plan = planCandles(timeframe, new Date(token.createdAt), app.clock.now())
  const rows = await findCandles(app.db, id, plan)
  const trades = await latestTrades(app, id)
  const still = token.totalTrades === 0 ? null : token.currentPrice
  return {
    timeframe,
    width: plan.width,
    candles: rows.map(candleOf),
    ticks: trades
      .reverse()
      .map(({ seq, createdAt, spotPrice, side }) => ({ seq, time: createdAt, price: spotPrice, side })),
    high: rows.length === 0 ? still : priceText(Decimal.max(...rows.map((row) => row.high))),
    low: rows.length === 0 ? still : priceText(Decimal.min(...rows.map((row) => row.low))),
    change24h: token.priceChange24h,
    totalTrades: token.totalTrades,
    seq: token.seq,
  }
}

function candleOf(row: CandleRow): Candle {
  const price = (text: string) => priceText(new Decimal(text))
  return {
    time: row.time.toISOString(),
    open: price(row.open),
    high: price(row.high),
    low: price(row.low),
    close: price(row.close),
    volume: solText(new Decimal(row.volume)),
  }
}
