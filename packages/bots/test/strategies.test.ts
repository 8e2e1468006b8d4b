import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type BagView,
  CHARACTERS,
  createRandom,
  type Decision,
  MarketState,
  NO_SEAL,
  RUG_NIGHT,
  type SelfView,
  STRATEGIES,
  type StrategyName,
  type TokenView,
} from '../src/index.ts'
import { toWaryTemper } from '../src/strategies/wary-temper.ts'

const NOW_MS = Date.UTC(2026, 5, 1)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const SELF = 1
const DRAWS = 400

/** Creates a token with 16 recent trades, whose figures the test sets. */
function makeToken(own: Partial<TokenView> = {}): TokenView {
  const solReserve = own.solReserve ?? 40
  const tokenReserve = 3e10 / solReserve
  const price = solReserve / tokenReserve
  const trade = { atMs: NOW_MS - MINUTE_MS, userId: 2, side: 'buy' as const, sol: 0.1, price }
  return {
    id: 1,
    name: 'Moon',
    symbol: 'MOON',
    createdAtMs: NOW_MS - 2 * HOUR_MS,
    creatorId: 9,
    creatorRugs: 0,
    creatorLaunches: 1,
    creatorTokens: 0,
    creatorDumpedAtMs: Number.NEGATIVE_INFINITY,
    solReserve,
    tokenReserve,
    price,
    fastPrice: price,
    slowPrice: price,
    topPrice: price,
    lastTradeAtMs: NOW_MS - MINUTE_MS,
    tradeCount: 100,
    volume: 50,
    holderCount: 10,
    isRugged: false,
    seal: NO_SEAL,
    recentTrade: (age) => (age < 16 ? trade : undefined),
    ...own,
  }
}

function makeSelf(bag?: Partial<BagView>, balance = 100): SelfView {
  const bags = new Map<number, BagView>()
  const whole = { tokenId: 1, amount: 1_000_000, cost: 0.04, boughtAtMs: NOW_MS - MINUTE_MS, ...bag }
  if (bag !== undefined) bags.set(1, whole)
  return { id: SELF, balance, bags, createdTokens: [], lastLaunchAtMs: NOW_MS }
}

const findTemper = (name: StrategyName) => {
  const character = CHARACTERS.find(({ strategy }) => strategy === name)
  if (character === undefined) throw new Error(`nobody plays ${name}`)
  return character.temper
}

/** Returns a strategy's decisions in one situation, for many seeds. */
function decide(name: StrategyName, token: TokenView, self: SelfView, temper = findTemper(name)): readonly Decision[] {
  const market = new MarketState()
  const story = { name: 'Teapot', symbol: 'TEA', emoji: '🫖', description: '' }
  const view = { market, token, temper, story }
  return Array.from({ length: DRAWS }, (_, seed) => STRATEGIES[name](view, self, createRandom(seed), NOW_MS)).filter(
    (decision) => decision !== null,
  )
}

const count = (decisions: readonly Decision[], kind: Decision['kind']) =>
  decisions.filter((it) => it.kind === kind).length

describe('strategies', () => {
  it('momentum buys rising tokens and sells falling ones', () => {
    const price = makeToken().price
    const rising = makeToken({ slowPrice: price * 0.95 })
    const falling = makeToken({ slowPrice: price * 1.05 })
    expect(count(decide('momentum', rising, makeSelf()), 'buy')).toBe(DRAWS)
    expect(count(decide('momentum', falling, makeSelf()), 'buy')).toBeLessThan(DRAWS / 2)
    expect(count(decide('momentum', falling, makeSelf({})), 'sell')).toBe(DRAWS)
  })

  it('mean reversion buys below the usual price and sells above it', () => {
    const price = makeToken().price
    expect(count(decide('meanReversion', makeToken({ slowPrice: price * 1.1 }), makeSelf()), 'buy')).toBe(DRAWS)
    expect(count(decide('meanReversion', makeToken({ slowPrice: price * 0.9 }), makeSelf({})), 'sell')).toBe(DRAWS)
  })

  it('the market maker does nothing inside its spread, and sells rather than buys with a full bag', () => {
    const { price } = makeToken()
    const cheap = makeToken({ slowPrice: price * 1.1 })
    const costly = makeToken({ slowPrice: price * 0.9 })
    expect(count(decide('marketMaker', cheap, makeSelf()), 'buy')).toBe(DRAWS)
    expect(count(decide('marketMaker', costly, makeSelf({})), 'sell')).toBe(DRAWS)
    const atFair = makeToken({ solReserve: 30 })
    expect(decide('marketMaker', atFair, makeSelf({ cost: findTemper('marketMaker').bagMax / 2 }))).toEqual([])
  })

  it('whales avoid small, new and falling tokens, and creators who rugged before', () => {
    expect(count(decide('whale', makeToken(), makeSelf()), 'buy')).toBeGreaterThan(DRAWS * 0.9)
    expect(decide('whale', makeToken({ volume: 1 }), makeSelf())).toEqual([])
    expect(decide('whale', makeToken({ createdAtMs: NOW_MS - MINUTE_MS }), makeSelf())).toEqual([])
    expect(decide('whale', makeToken({ slowPrice: makeToken().price * 1.1 }), makeSelf())).toEqual([])
    expect(decide('whale', makeToken({ creatorRugs: 1 }), makeSelf())).toEqual([])
  })

  it('snipers buy new tokens, and sell when their patience is over', () => {
    const fresh = makeToken({ createdAtMs: NOW_MS - 10_000 })
    expect(count(decide('sniper', fresh, makeSelf()), 'buy')).toBeGreaterThan(DRAWS * 0.9)
    const old = makeToken({ createdAtMs: NOW_MS - 24 * HOUR_MS })
    expect(decide('sniper', old, makeSelf())).toEqual([])
    const boughtAtMs = NOW_MS - findTemper('sniper').patienceMs - 1
    expect(count(decide('sniper', fresh, makeSelf({ boughtAtMs })), 'sell')).toBe(DRAWS)
  })

  it('paper hands sell after a fall that diamond hands ignore', () => {
    const scared = makeSelf({ cost: 0.2 })
    expect(count(decide('paperHands', makeToken(), scared), 'sell')).toBe(DRAWS)
    expect(count(decide('diamondHands', makeToken(), scared), 'sell')).toBe(0)
    expect(count(decide('diamondHands', makeToken(), makeSelf({ cost: 0.001 })), 'sell')).toBe(DRAWS)
  })

  it('all but diamond hands leave a token that nobody trades', () => {
    const quiet = makeToken({ recentTrade: () => undefined })
    for (const name of Object.keys(STRATEGIES) as StrategyName[]) {
      const sales = count(decide(name, quiet, makeSelf({})), 'sell')
      if (name === 'diamondHands') expect(sales).toBe(0)
      else expect(sales, name).toBeGreaterThan(DRAWS / 4)
    }
  })

  it('rug pullers sometimes rug tokens that are ripe, and no others', () => {
    const market = new MarketState()
    const token = { ...makeToken({ createdAtMs: NOW_MS - 6 * HOUR_MS, creatorId: SELF }), lastTradeAtMs: NOW_MS }
    market.addToken(token)
    const story = { name: 'Teapot', symbol: 'TEA', emoji: '🫖', description: '' }
    const view = { market, token: makeToken({ id: 2 }), temper: findTemper('rugPuller'), story }
    const count = (createdTokens: readonly number[]) => {
      const self = { ...makeSelf(), createdTokens }
      const decisions = Array.from({ length: 20_000 }, (_, seed) =>
        STRATEGIES.rugPuller(view, self, createRandom(seed), NOW_MS),
      )
      return decisions.filter((decision) => decision?.kind === 'rug').length
    }
    expect(count([1])).toBeGreaterThan(0)
    expect(count([1])).toBeLessThan(200)
    expect(count([])).toBe(0)
  })

  it('on a rug night, bots of every kind rug most of their tokens within an arena’s time, but no young ones', () => {
    const LOOKS = 110
    const story = { name: 'Teapot', symbol: 'TEA', emoji: '🫖', description: '' }
    const self = { ...makeSelf(), createdTokens: [1] }
    const countRugged = (name: StrategyName, ageMs: number) => {
      const market = new MarketState()
      market.addToken({ ...makeToken({ createdAtMs: NOW_MS - ageMs, creatorId: SELF }), lastTradeAtMs: NOW_MS })
      const view = { market, token: makeToken({ id: 2 }), temper: findTemper(name), story }
      const isRugged = (random: ReturnType<typeof createRandom>) =>
        Array.from({ length: LOOKS }, () => RUG_NIGHT[name]?.(view, self, random, NOW_MS)).some(
          (decision) => decision?.kind === 'rug',
        )
      return Array.from({ length: 100 }, (_, seed) => isRugged(createRandom(seed))).filter(Boolean).length
    }
    for (const name of ['diamondHands', 'momentum', 'launcher'] as const) {
      expect(countRugged(name, HOUR_MS), name).toBeGreaterThan(50)
      expect(countRugged(name, HOUR_MS), name).toBeLessThan(85)
      expect(countRugged(name, 20 * MINUTE_MS), name).toBe(0)
    }
  })

  it('buy less if the creator holds much or launches often, and sell after the creator dumps another token', () => {
    const names = Object.keys(STRATEGIES) as StrategyName[]
    const { price } = makeToken()
    const look = (name: StrategyName, own: Partial<TokenView>, bag?: Partial<BagView>, caution = 1) => {
      const token = makeToken({ createdAtMs: NOW_MS - HOUR_MS / 2, slowPrice: price * 0.98, ...own })
      const temper = toWaryTemper({ ...findTemper(name), caution }, token, NOW_MS)
      return decide(name, token, makeSelf(bag), temper)
    }
    const sum = (decisions: readonly Decision[]) =>
      decisions.reduce((sol, decision) => sol + (decision.kind === 'buy' ? decision.sol : 0), 0)
    const dumped = { creatorDumpedAtMs: NOW_MS - HOUR_MS }
    for (const name of names) {
      const own = name === 'marketMaker' ? { slowPrice: price * 1.1 } : {}
      const usual = sum(look(name, own))
      expect(sum(look(name, { ...own, creatorTokens: 4e8 })), name).toBeLessThan(usual * 0.2)
      expect(sum(look(name, { ...own, creatorLaunches: 3 })), name).toBeLessThan(usual * 0.6)
      expect(sum(look(name, { ...own, creatorTokens: 4e8, ...dumped }, undefined, 0)), name).toBe(usual)
      expect(look(name, { ...own, ...dumped }), name).toEqual([])
      expect(sum(look(name, { ...own, ...dumped }, undefined, 0.5)), name).toBe(0)
      expect(sum(look(name, { ...own, creatorDumpedAtMs: NOW_MS - 24 * HOUR_MS })), name).toBe(usual)
    }
    // The bot has held the token for ten minutes without a gain. Usually it would keep the token for forty minutes.
    const bag = { cost: 0.053, boughtAtMs: NOW_MS - 10 * MINUTE_MS }
    const countSales = (own: Partial<TokenView>) => count(look('momentum', { slowPrice: price, ...own }, bag), 'sell')
    expect(countSales({})).toBe(0)
    expect(countSales(dumped)).toBe(DRAWS)
  })

  it('never spend more than a tenth of the balance or their limit for the token, and never sell more than all', () => {
    const names = Object.keys(STRATEGIES) as StrategyName[]
    const situation = fc.record({
      name: fc.constantFrom(...names),
      seed: fc.integer(),
      solReserve: fc.double({ min: 30, max: 500, noNaN: true }),
      trend: fc.double({ min: 0.5, max: 2, noNaN: true }),
      ageMs: fc.integer({ min: 0, max: 72 * HOUR_MS }),
      balance: fc.double({ min: 0, max: 200, noNaN: true }),
      bag: fc.option(
        fc.record({ amount: fc.integer({ min: 1, max: 1e7 }), cost: fc.double({ min: 0, max: 9, noNaN: true }) }),
      ),
      volume: fc.double({ min: 0, max: 1e5, noNaN: true }),
    })
    fc.assert(
      fc.property(situation, ({ name, seed, solReserve, trend, ageMs, balance, bag, volume }) => {
        const base = makeToken({ solReserve })
        const token = makeToken({ solReserve, slowPrice: base.price * trend, createdAtMs: NOW_MS - ageMs, volume })
        const self = makeSelf(bag ?? undefined, balance)
        const story = { name: 'Teapot', symbol: 'TEA', emoji: '🫖', description: '' }
        const view = { market: new MarketState(), token, temper: findTemper(name), story }
        const decision = STRATEGIES[name](view, self, createRandom(seed), NOW_MS)
        expect(STRATEGIES[name](view, self, createRandom(seed), NOW_MS)).toEqual(decision)
        if (decision?.kind === 'buy') {
          expect(decision.sol).toBeGreaterThan(0)
          expect(decision.sol).toBeLessThanOrEqual(balance / 10 + 1e-9)
          expect(decision.sol + (bag?.cost ?? 0)).toBeLessThanOrEqual(findTemper(name).bagMax * 5 + 1e-9)
        }
        if (decision?.kind === 'sell') {
          expect(bag).not.toBeNull()
          expect(decision.portion).toBeGreaterThan(0)
          expect(decision.portion).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
