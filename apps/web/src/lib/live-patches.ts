import {
  Decimal,
  launchPool,
  marketCap,
  percentText,
  priceText,
  SUPPLY,
  solText,
  spotPrice,
  tokensText,
} from '@papermoon/amm'
import type { Candle, Chart, Holder, Token, TokenPage, Trade } from './api.ts'
import type { LaunchEvent, MarketEvent, RugEvent, TradeEvent } from './live-events.ts'

/** As many as the server sends; the screens show no more. */
const TRADES_MAX = 50
const TICKS_MAX = 50
const HOLDERS_MAX = 20
const CANDLES_MAX = 1_500

/** A patched piece of the cache; `stale` says that the event does not tell enough and it must be fetched again. */
export interface Patched<T> {
  readonly data: T
  readonly stale: boolean
}

/** What a following event is to data that knows everything up to `knownSeq`. */
export function orderOf(knownSeq: number, eventSeq: number): 'known' | 'next' | 'gap' {
  if (eventSeq <= knownSeq) return 'known'
  return eventSeq === knownSeq + 1 ? 'next' : 'gap'
}

/** A token after one of its own events. Volume only grows here: what leaves the 24 hours goes with the next fetch. */
export function patchToken(token: Token, event: MarketEvent): Patched<Token> {
  if (event.type === 'token_launched' || event.tokenId !== token.id) return { data: token, stale: false }
  const order = orderOf(token.seq, event.seq)
  if (order === 'known') return { data: token, stale: false }
  const data = event.type === 'trade' ? tokenAfterTrade(token, event) : tokenAfterRug(token, event)
  return { data, stale: order === 'gap' }
}

function tokenAfterTrade(token: Token, event: TradeEvent): Token {
  return {
    ...token,
    currentPrice: event.currentPrice,
    marketCap: event.marketCap,
    pool: event.pool,
    priceChange24h: changePercent(token.price24hAgo, event.currentPrice),
    volume24h: new Decimal(token.volume24h).add(event.volume).toFixed(),
    totalTrades: token.totalTrades + 1,
    seq: event.seq,
  }
}

function tokenAfterRug(token: Token, event: RugEvent): Token {
  return {
    ...token,
    currentPrice: '0',
    marketCap: '0',
    pool: { ...token.pool, solReserve: '0', realSol: '0' },
    priceChange24h: changePercent(token.price24hAgo, '0'),
    ruggedAt: event.createdAt,
    seq: event.seq,
  }
}

/** `now` against `before` in percent, as the server says it. */
function changePercent(before: string, now: string): string {
  const base = new Decimal(before)
  return percentText(new Decimal(now).sub(base), base)
}

/**
 * The market's list after some events, in their order. Tokens that nothing happened to stay the same objects. An event
 * carries the whole new price and pool, so one that was missed before it does no harm here.
 */
export function patchTokenPage(page: TokenPage, events: readonly MarketEvent[]): TokenPage {
  const places = new Map(page.tokens.map((token, index) => [token.id, index]))
  const tokens = [...page.tokens]
  const launched: Token[] = []
  for (const event of events) {
    const index = places.get(event.tokenId)
    const listed = index === undefined ? undefined : tokens[index]
    if (index !== undefined && listed !== undefined) tokens[index] = patchToken(listed, event).data
    else patchLaunched(launched, event)
  }
  if (launched.length === 0 && tokens.every((token, index) => token === page.tokens[index])) return page
  return { ...page, tokens: [...launched, ...tokens] }
}

/** Newest first, as the list comes. */
function patchLaunched(launched: Token[], event: MarketEvent): void {
  const index = launched.findIndex((token) => token.id === event.tokenId)
  const listed = launched[index]
  if (listed !== undefined) launched[index] = patchToken(listed, event).data
  else if (event.type === 'token_launched') launched.unshift(tokenAtLaunch(event))
}

/** What is known of a token when its launch is announced; its page fetches the rest. */
export function tokenAtLaunch(event: LaunchEvent): Token {
  const pool = launchPool()
  const price = priceText(spotPrice(pool))
  return {
    id: event.tokenId,
    name: event.name,
    symbol: event.symbol,
    emoji: event.emoji,
    description: null,
    website: null,
    x: null,
    telegram: null,
    supply: tokensText(SUPPLY),
    currentPrice: price,
    priceChange24h: '0.00',
    price24hAgo: price,
    volume24h: '0',
    marketCap: solText(marketCap(pool)),
    createdAt: event.createdAt,
    creator: event.creator,
    pool: { solReserve: solText(pool.sol), tokenReserve: tokensText(pool.tokens), realSol: '0' },
    seq: 0,
    totalTrades: 0,
    ruggedAt: null,
  }
}

/** A token's latest trades, newest first, after an event. */
export function patchTrades(trades: readonly Trade[], event: MarketEvent): Trade[] {
  const known = trades[0]?.seq ?? 0
  if (event.type !== 'trade' || event.seq <= known) return trades as Trade[]
  return [event.trade, ...trades].slice(0, TRADES_MAX)
}

/** The largest holders after an event. Stale where somebody who is not in the list may now belong in it. */
export function patchHolders(holders: readonly Holder[], event: MarketEvent): Patched<Holder[]> {
  if (event.type !== 'trade') return { data: holders as Holder[], stale: false }
  const { userId, username } = event.trade
  const others = holders.filter((holder) => holder.userId !== userId)
  const amount = new Decimal(event.holding)
  const wasFull = holders.length >= HOLDERS_MAX
  const shrank = holders.some((holder) => holder.userId === userId && amount.lt(holder.amount))
  const all = amount.gt(0) ? [...others, { userId, username, rank: 0, amount: event.holding }] : others
  const ordered = all.sort((a, b) => new Decimal(b.amount).cmp(a.amount) || a.userId - b.userId)
  const data = ordered.slice(0, HOLDERS_MAX).map((holder, index) => ({ ...holder, rank: index + 1 }))
  return { data, stale: wasFull && shrank }
}

/**
 * A chart after an event: the forming candle moves or a new one begins, and the ticks and figures follow. `change24h`
 * stays as fetched: what it compares with is not in the chart, and the token's `priceChange24h` is the live one.
 */
export function patchChart(chart: Chart, event: MarketEvent): Patched<Chart> {
  if (event.type === 'token_launched') return { data: chart, stale: false }
  const order = orderOf(chart.seq, event.seq)
  if (order === 'known') return { data: chart, stale: false }
  const stale = order === 'gap'
  if (event.type === 'rug_pull') return { data: { ...chart, seq: event.seq }, stale: true }
  const { createdAt, spotPrice: price, side, seq } = event.trade
  return {
    stale,
    data: {
      ...chart,
      candles: withTrade(chart, event),
      ticks: [...chart.ticks, { seq, time: createdAt, price, side }].slice(-TICKS_MAX),
      high: chart.high === null || new Decimal(price).gt(chart.high) ? price : chart.high,
      low: chart.low === null || new Decimal(price).lt(chart.low) ? price : chart.low,
      totalTrades: chart.totalTrades + 1,
      seq: event.seq,
    },
  }
}

function withTrade(chart: Chart, event: TradeEvent): Candle[] {
  const price = event.trade.spotPrice
  const time = candleStart(event.trade.createdAt, chart.width)
  const last = chart.candles.at(-1)
  if (last !== undefined && Date.parse(last.time) >= Date.parse(time)) {
    return [...chart.candles.slice(0, -1), candleAfter(last, price, event.volume)]
  }
  // A candle opens at the price before its first trade.
  const open = last?.close ?? chart.ticks.at(-1)?.price ?? priceText(spotPrice(launchPool()))
  const begun = candleAfter({ time, open, high: open, low: open, close: open, volume: '0' }, price, event.volume)
  return [...chart.candles, begun].slice(-CANDLES_MAX)
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

/** The start of the candle of `widthS` seconds that the ISO time lies in: candles are counted from the epoch. */
export function candleStart(time: string, widthS: number): string {
  const widthMs = widthS * 1_000
  return new Date(Math.floor(Date.parse(time) / widthMs) * widthMs).toISOString()
}
