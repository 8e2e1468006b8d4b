import { Decimal, launchPool, priceText, spotPrice } from '@papermoon/amm'
import type { MarketEvent, TradeEvent } from '@papermoon/contract/market-events'
import type { Candle, Chart } from '@papermoon/contract/tokens'
import { changePercent } from './change-percent.ts'
import { compareSeq, type PatchResult } from './patch-result.ts'

/** Max number of ticks. The API has the same limit. */
const TICKS_MAX = 50
/** Max number of candles on a page that stays open for a long time. This is more than the API's 1,500 candles. */
const CANDLES_MAX = 10_000

/** Returns a chart after an event, with a new or changed last candle, and with new ticks and totals. */
export function patchChart(chart: Chart, event: MarketEvent): PatchResult<Chart> {
  if (event.type === 'token_launched' || event.type === 'seal') return { data: chart, stale: false }
  const order = compareSeq(chart.seq, event.seq)
  if (order === 'known') return { data: chart, stale: false }
  if (event.type === 'rug_pull') return { data: { ...chart, seq: event.seq }, stale: true }
  return { data: chartAfterTrade(chart, event), stale: order === 'gap' }
}

function chartAfterTrade(chart: Chart, event: TradeEvent): Chart {
  const { createdAt, spotPrice: price, side, seq } = event.trade
  const { candles, forming } = applyTradeToCandles(chart, event)
  return {
    ...chart,
    candles,
    ticks: [...chart.ticks, { seq, time: createdAt, price, side }].slice(-TICKS_MAX),
    high: chart.high === null || new Decimal(forming.high).gt(chart.high) ? forming.high : chart.high,
    low: chart.low === null || new Decimal(forming.low).lt(chart.low) ? forming.low : chart.low,
    change24h: changePercent(chart.price24hAgo, price),
    totalTrades: chart.totalTrades + 1,
    seq: event.seq,
  }
}

function applyTradeToCandles(chart: Chart, event: TradeEvent): { candles: Candle[]; forming: Candle } {
  const price = event.trade.spotPrice
  const time = candleStart(event.trade.createdAt, chart.width)
  const last = chart.candles.at(-1)
  if (last !== undefined && Date.parse(last.time) >= Date.parse(time)) {
    const forming = candleAfter(last, price, event.volume)
    return { candles: [...chart.candles.slice(0, -1), forming], forming }
  }
  // A candle's opening price is the price before its first trade.
  const open = last?.close ?? chart.ticks.at(-1)?.price ?? priceText(spotPrice(launchPool()))
  const forming = candleAfter({ time, open, high: open, low: open, close: open, volume: '0' }, price, event.volume)
  return { candles: [...chart.candles, forming].slice(-CANDLES_MAX), forming }
}

function candleAfter(candle: Candle, price: string, volume: string): Candle {
  const spot = new Decimal(price)
  return {
    ...candle,
    high: spot.gt(candle.high) ? price : candle.high,
    low: spot.lt(candle.low) ? price : candle.low,
    close: price,
    volume: new Decimal(candle.volume).add(volume).toFixed(),
  }
}

/** Returns the start of the candle that contains an ISO time. Candles are aligned to the epoch. */
function candleStart(time: string, widthS: number): string {
  const widthMs = widthS * 1_000
  return new Date(Math.floor(Date.parse(time) / widthMs) * widthMs).toISOString()
}
