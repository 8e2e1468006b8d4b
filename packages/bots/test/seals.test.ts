import { describe, expect, it } from 'vitest'
import {
  type Actor,
  type BotOrder,
  CHARACTERS,
  DemoMarket,
  FIRST_STRANGER_ID,
  Fleet,
  FloatVenue,
  type MarketEvent,
  type SealRequest,
  simulate,
} from '../src/index.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const STRANGER = FIRST_STRANGER_ID
const STORY = { name: 'First Try', symbol: 'FIRST', emoji: '🌱', description: '' }
const SEALED: SealRequest = { term: 'hour', bag: true }

const launch = (seal?: SealRequest): BotOrder => ({
  kind: 'launch',
  userId: STRANGER,
  story: STORY,
  initialBuy: 1,
  ...(seal !== undefined && { seal }),
})

/** A market in which a stranger launches a token. From then on, it tracks the net SOL of others in the token. */
class SealedMarket {
  readonly market: DemoMarket
  readonly trades: Extract<MarketEvent, { type: 'trade' }>[] = []
  tokenId = 0
  sol = 0
  #nowMs: number

  constructor(seed: number, seal?: SealRequest) {
    this.market = new DemoMarket({ seed, startMs: 0, warmUpMs: 2 * HOUR_MS })
    this.#nowMs = this.market.fromMs
    this.market.venue.grant(STRANGER, 100)
    this.live(0, launch(seal))
  }

  /** Places an order of the stranger, and lets time pass. */
  live(minutes: number, order?: BotOrder): void {
    const { actors, venue } = this.market
    const untilMs = this.#nowMs + Math.max(1, minutes * MINUTE_MS)
    const stranger: Actor = {
      nextAtMs: order === undefined ? Number.POSITIVE_INFINITY : this.#nowMs,
      act: () => {
        Object.assign(stranger, { nextAtMs: Number.POSITIVE_INFINITY })
        return order ?? null
      },
      observe: () => {},
    }
    const onEvent = (event: MarketEvent) => this.#observe(event)
    simulate({ actors: [stranger, ...actors], venue, fromMs: this.#nowMs, untilMs, onEvent })
    this.#nowMs = untilMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** Returns how many of the stranger's tokens the house bots hold. */
  countHouse(): number {
    return CHARACTERS.reduce((sum, _, index) => sum + this.market.venue.holding(index + 1, this.tokenId), 0)
  }

  #observe(event: MarketEvent): void {
    if (event.type === 'launch' && event.creatorId === STRANGER) this.tokenId = event.tokenId
    if (event.type !== 'trade' || event.tokenId !== this.tokenId || event.userId === STRANGER) return
    this.sol += event.side === 'buy' ? event.sol : -event.sol
    this.trades.push(event)
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const SEEDS = [1, 2, 3, 4, 5, 6, 7]

describe('a sealed launch', () => {
  it('attracts much SOL in twenty minutes, in both directions and without long pauses; an unsealed one hardly any', () => {
    const toLaunches = (seal?: SealRequest) =>
      SEEDS.map((seed) => {
        const launched = new SealedMarket(seed, seal)
        launched.live(20)
        return launched
      })
    const sealed = toLaunches({ term: 'day', bag: true })
    expect(median(sealed.map(({ sol }) => sol))).toBeGreaterThanOrEqual(5)
    for (const { trades } of sealed) {
      const sales = trades.filter(({ side }) => side === 'sell').length
      expect(sales).toBeGreaterThan(trades.length / 10)
      expect(new Set(trades.map(({ userId }) => userId)).size).toBeGreaterThanOrEqual(10)
      const minutes = new Set(trades.map(({ atMs }) => Math.floor(atMs / MINUTE_MS)))
      expect(minutes.size).toBeGreaterThanOrEqual(12)
    }
    expect(Math.max(...toLaunches().map(({ sol }) => sol))).toBeLessThan(0.3)
  })

  it('is sold by house bots in many small sales before its seal ends', () => {
    const launched = new SealedMarket(1, SEALED)
    launched.live(48.2)
    expect(launched.sol).toBeGreaterThan(1)
    launched.trades.length = 0
    launched.live(11.7)
    expect(launched.countHouse()).toBe(0)
    expect(new Set(launched.trades.map(({ side }) => side))).toEqual(new Set(['sell']))
    expect(new Set(launched.trades.map(({ atMs }) => Math.floor(atMs / MINUTE_MS))).size).toBeGreaterThanOrEqual(6)
    // The bots lost only what trading among themselves costs.
    expect(launched.market.fleet.exposure.risk).toBeLessThan(0.8)
  })

  it('is kept by house bots if its seal is renewed in time', () => {
    const launched = new SealedMarket(2, SEALED)
    launched.live(45)
    const { tokenId } = launched
    launched.live(20, { kind: 'seal', userId: STRANGER, tokenId, seal: SEALED })
    expect(launched.countHouse()).toBeGreaterThan(0)
    expect(launched.sol).toBeGreaterThan(1)
  })

  it('is sold before the seal of the creator’s tokens ends, if that comes first', () => {
    const launched = new SealedMarket(3, SEALED)
    const { tokenId } = launched
    launched.live(40, { kind: 'seal', userId: STRANGER, tokenId, seal: { term: 'day', bag: false } })
    launched.live(19.9)
    expect(launched.countHouse()).toBe(0)
  })

  it('is sold by restarted bots, which learn of the seal and their holdings at the start, even after its end', () => {
    for (const laterMs of [50 * MINUTE_MS, 90 * MINUTE_MS]) {
      const launched = new SealedMarket(4, SEALED)
      launched.live(40)
      const { market, tokenId } = launched
      const fleet = startAgain(launched, market.fromMs + laterMs)
      const untilMs = market.fromMs + laterMs + 9.9 * MINUTE_MS
      simulate({ actors: [fleet], venue: market.venue, fromMs: market.fromMs + laterMs, untilMs })
      expect(launched.countHouse()).toBe(0)
      expect(fleet.findSelf(1)?.bags.has(tokenId)).toBe(false)
    }
  })
})

/** Starts a fleet that knows exactly what it would read from the database. */
function startAgain({ market, tokenId }: SealedMarket, startMs: number): Fleet {
  const members = CHARACTERS.map((character, index) => {
    return { userId: index + 1, character, balance: market.venue.balance(index + 1) }
  })
  const fleet = new Fleet({ seed: 'again', members, startMs })
  const token = market.fleet.market.findToken(tokenId)
  if (token === undefined) throw new Error('the token is not followed')
  fleet.addToken(token)
  for (const { userId } of members) {
    const bag = market.fleet.findSelf(userId)?.bags.get(tokenId)
    if (bag !== undefined) fleet.addBag({ userId, ...bag })
  }
  return fleet
}

describe('FloatVenue', () => {
  it('rejects a rug pull, a sale of sealed tokens and a shorter seal while a seal holds', () => {
    const venue = new FloatVenue()
    venue.grant(STRANGER, 100)
    venue.place(launch({ term: 'day', bag: true }), 0)
    const order = { userId: STRANGER, tokenId: 1 }
    const sell = { ...order, kind: 'sell', tokens: 1, minSolOut: 0 } as const
    const place = (one: BotOrder, atMs: number) => {
      const outcome = venue.place(one, atMs)
      return outcome.isDone ? 'done' : outcome.code
    }
    const endMs = 24 * HOUR_MS
    expect(place({ ...order, kind: 'rug' }, endMs - 1)).toBe('SEALED')
    expect(place(sell, endMs - 1)).toBe('SEALED')
    expect(place({ ...order, kind: 'seal', seal: { term: 'hour', bag: true } }, HOUR_MS)).toBe('SEAL_TOO_SHORT')
    expect(place({ ...order, kind: 'buy', sol: 1, minTokensOut: 0 }, HOUR_MS)).toBe('done')
    // Tokens bought after the seal are not sealed.
    expect(place(sell, HOUR_MS)).toBe('done')
    expect(place({ ...order, kind: 'rug' }, endMs)).toBe('done')
  })
})

describe('bots that launch', () => {
  it('seal some of their tokens, never sell sealed tokens, and never rug a sealed token', { tags: 'nightly' }, () => {
    const market = new DemoMarket({ seed: 'seals', startMs: 0, warmUpMs: 0 })
    const { actors, venue } = market
    const kinds: string[] = []
    const refusals: string[] = []
    let rugsAfterSeals = 0
    const sealed = new Set<number>()
    const onEvent = (event: MarketEvent) => {
      if (event.type === 'seal') kinds.push(event.kind)
      if (event.type === 'seal') sealed.add(event.tokenId)
      if (event.type === 'rug' && sealed.has(event.tokenId)) rugsAfterSeals++
    }
    const onRefusal = (_: BotOrder, code: string) => void refusals.push(code)
    simulate({ actors, venue, fromMs: 0, untilMs: 20 * 24 * HOUR_MS, onEvent, onRefusal })
    expect(kinds.filter((kind) => kind === 'sealed').length).toBeGreaterThan(10)
    expect(kinds).toContain('renewed')
    expect(rugsAfterSeals).toBeGreaterThan(0)
    expect(refusals.filter((code) => code.startsWith('SEAL'))).toEqual([])
  })
})
