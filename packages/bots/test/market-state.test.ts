import { describe, expect, it } from 'vitest'
import { DemoMarket, type MarketEvent, MarketState, simulate, type TradeEvent } from '../src/index.ts'

const HOUR_MS = 3_600_000

const launch = (tokenId: number, creatorId: number, atMs: number): MarketEvent => ({
  type: 'launch',
  atMs,
  tokenId,
  creatorId,
  name: `Token ${tokenId}`,
  symbol: `T${tokenId}`,
})
const trade = (own: Partial<TradeEvent>): TradeEvent => ({
  type: 'trade',
  atMs: 0,
  tokenId: 1,
  userId: 2,
  side: 'buy',
  sol: 1,
  fee: 0.003,
  tokens: 10,
  solReserve: 31,
  tokenReserve: 9e8,
  holding: 10,
  ...own,
})

describe('MarketState', () => {
  it('has the same figures as the events, for any number of events', () => {
    const market = new DemoMarket({ seed: 3, startMs: 0, warmUpMs: 0 })
    const trades: TradeEvent[] = []
    const holdings = new Map<string, number>()
    const onEvent = (event: MarketEvent) => {
      if (event.type !== 'trade') return
      trades.push(event)
      holdings.set(`${event.tokenId} ${event.userId}`, event.holding)
    }
    simulate({ actors: market.actors, venue: market.venue, fromMs: 0, untilMs: 8 * HOUR_MS, onEvent })
    let seen = 0
    for (const token of market.fleet.market.tokens) {
      const own = trades.filter(({ tokenId }) => tokenId === token.id)
      seen += token.tradeCount
      expect(token.tradeCount).toBe(own.length)
      const holders = [...holdings].filter(([key, held]) => key.startsWith(`${token.id} `) && held > 0)
      expect(token.holderCount).toBe(holders.length)
      const volume = own.reduce((sum, { side, sol, fee }) => sum + (side === 'buy' ? sol : sol + fee), 0)
      expect(token.volume).toBeCloseTo(volume, 6)
      const latest = own.at(-1)
      if (latest === undefined || token.isRugged) continue
      expect(token.price).toBe(latest.solReserve / latest.tokenReserve)
      expect(token.recentTrade(0)).toMatchObject({ atMs: latest.atMs, userId: latest.userId, sol: latest.sol })
      expect(token.recentTrade(16)).toBeUndefined()
    }
    expect(seen).toBe(trades.length)
  })

  it('moves the averages towards a price in proportion to how long the price lasted', () => {
    const market = new MarketState()
    market.apply(launch(1, 9, 0))
    market.apply(trade({ atMs: 0 }))
    market.apply(trade({ atMs: 60_000 }))
    const token = market.findToken(1)
    const high = 31 / 9e8
    expect(token?.fastPrice).toBeCloseTo(high + (3e-8 - high) * Math.exp(-1), 12)
    expect(token?.slowPrice).toBeCloseTo(high + (3e-8 - high) * Math.exp(-1 / 30), 12)
  })

  it('knows what a creator rugged before, and how many tokens the creator launched that day', () => {
    const market = new MarketState()
    market.apply(launch(1, 9, 0))
    market.apply({ type: 'rug', atMs: 1, tokenId: 1, userId: 9, sol: 1 })
    market.apply(launch(2, 9, HOUR_MS))
    market.apply(launch(3, 9, 30 * HOUR_MS))
    expect(market.findToken(1)).toMatchObject({ isRugged: true, price: 0 })
    expect(market.findToken(2)).toMatchObject({ creatorRugs: 1, creatorLaunches: 2 })
    expect(market.findToken(3)).toMatchObject({ creatorRugs: 1, creatorLaunches: 1 })
  })

  it('knows how much of a token its creator holds, and when the creator dumped another token', () => {
    const market = new MarketState()
    for (const tokenId of [1, 2]) market.apply(launch(tokenId, 9, 0))
    const hold = (atMs: number, holding: number, own: Partial<TradeEvent> = {}) =>
      market.apply(trade({ atMs, userId: 9, side: 'sell', holding, ...own }))
    const read = () => [1, 2].map((tokenId) => market.findToken(tokenId)?.creatorDumpedAtMs)
    const never = Number.NEGATIVE_INFINITY
    hold(1, 40_000_000, { side: 'buy' })
    hold(2, 0)
    expect(read()).toEqual([never, never])
    hold(3, 200_000_000, { side: 'buy' })
    hold(4, 0, { userId: 2 })
    hold(5, 110_000_000)
    expect(market.findToken(1)?.creatorTokens).toBe(110_000_000)
    expect(read()).toEqual([never, never])
    // Many small sales also count as a dump.
    hold(6, 90_000_000)
    expect(read()).toEqual([never, 6])
    market.apply({ type: 'rug', atMs: 7, tokenId: 2, userId: 9, sol: 1 })
    expect(read()).toEqual([7, never])
  })

  it('follows at most 512 tokens, and keeps those that are held', () => {
    const market = new MarketState({ isPinned: (tokenId) => tokenId === 1 })
    for (let tokenId = 1; tokenId <= 600; tokenId++) market.apply(launch(tokenId, tokenId, tokenId))
    expect(market.tokenCount).toBe(512)
    expect(market.findToken(1)).toBeDefined()
    expect(market.findToken(2)).toBeUndefined()
    expect(market.findToken(600)).toBeDefined()
  })
})
