import { describe, expect, it } from 'vitest'
import { CHARACTERS, DemoMarket, Fleet, FloatVenue, type MarketEvent, simulate } from '../src/index.ts'

const HOUR_MS = 3_600_000

function play(seed: number, hours: number): readonly MarketEvent[] {
  const market = new DemoMarket({ seed, startMs: 0, warmUpMs: 0 })
  const events: MarketEvent[] = []
  const { actors, venue } = market
  simulate({ actors, venue, fromMs: 0, untilMs: hours * HOUR_MS, onEvent: (event) => void events.push(event) })
  return events
}

describe('Fleet', () => {
  it('places the same orders for the same seed and events, and others for another seed', () => {
    const events = play(11, 3)
    expect(events.length).toBeGreaterThan(500)
    expect(play(11, 3)).toEqual(events)
    expect(play(12, 3)).not.toEqual(events)
  })

  it('knows the same balances and holdings as the venue', () => {
    const market = new DemoMarket({ seed: 4, startMs: 0, warmUpMs: 6 * HOUR_MS })
    let bags = 0
    for (const index of CHARACTERS.keys()) {
      const self = market.fleet.findSelf(index + 1)
      expect(self?.balance).toBeCloseTo(market.venue.balance(index + 1), 6)
      expect(self?.balance).toBeGreaterThanOrEqual(0)
      for (const [tokenId, { amount, cost }] of self?.bags ?? []) {
        bags++
        expect(amount).toBe(market.venue.holding(index + 1, tokenId))
        expect(cost).toBeGreaterThan(0)
      }
    }
    expect(bags).toBeGreaterThan(20)
  })

  it('launches first in an empty market', () => {
    const [first] = play(5, 1)
    expect(first?.type).toBe('launch')
  })

  it('places no second order of a bot while one is pending', () => {
    const venue = new FloatVenue()
    const members = CHARACTERS.map((character, index) => ({ userId: index + 1, character, balance: 100 }))
    for (const { userId } of members) venue.grant(userId, 100)
    const fleet = new Fleet({ seed: 9, members, startMs: 0 })
    simulate({ actors: [fleet], venue, fromMs: 0, untilMs: HOUR_MS })
    const waiting = new Set<number>()
    while (fleet.nextAtMs < 2 * HOUR_MS) {
      const order = fleet.act(fleet.nextAtMs)
      if (order === null) continue
      expect(waiting.has(order.userId)).toBe(false)
      waiting.add(order.userId)
    }
    expect(waiting.size).toBeGreaterThan(20)
  })
})
