import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DemoMarket, FIRST_STRANGER_ID, HOUSE_RISK_PER_DAY_SOL, simulate } from '../src/index.ts'
import { createRandomTrader } from './random-trader.ts'

const HOUR_MS = 3_600_000
const START_SOL = 500

describe('Exposure', () => {
  it('limits what strangers can take from house bots, whatever they do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 8 }), (seed, hours) => {
        const market = new DemoMarket({ seed, startMs: 0, warmUpMs: 2 * HOUR_MS })
        const { venue, fromMs, fleet } = market
        const strangers = [FIRST_STRANGER_ID, FIRST_STRANGER_ID + 1]
        for (const userId of strangers) venue.grant(userId, START_SOL)
        const untilMs = fromMs + hours * HOUR_MS
        const trader = createRandomTrader({ seed, userIds: strangers, venue, market: fleet.market, fromMs, untilMs })
        simulate({ actors: [...market.actors, trader], venue, fromMs, untilMs })
        // The strangers sell what is left. The trader has already drained its own tokens.
        const worth = strangers.reduce((sum, id) => sum + venue.balance(id), venue.cashOut(strangers))
        const taken = worth - strangers.length * START_SOL
        expect(taken).toBeLessThanOrEqual(HOUSE_RISK_PER_DAY_SOL * (1 + (hours + 2) / 24) + 1e-6)
        expect(fleet.exposure.risk).toBeLessThanOrEqual(HOUSE_RISK_PER_DAY_SOL * (1 + (hours + 2) / 24) + 1e-6)
      }),
      { numRuns: 40 },
    )
  })

  it('counts a pending order until its outcome is known', () => {
    const market = new DemoMarket({ seed: 2, startMs: 0, warmUpMs: HOUR_MS })
    const { venue, fleet, fromMs } = market
    venue.grant(FIRST_STRANGER_ID, START_SOL)
    const story = { name: 'Mine', symbol: 'MINE', emoji: '🌱', description: '' }
    const launched = venue.place({ kind: 'launch', userId: FIRST_STRANGER_ID, story, initialBuy: 1 }, fromMs)
    if (!launched.isDone) throw new Error(launched.code)
    for (const event of launched.events) fleet.observe(event)
    const token = [...fleet.market.tokens].find(({ name }) => name === 'Mine')
    if (token === undefined) throw new Error('the token is not followed')
    const limit = () => fleet.exposure.limitBuy(token, 1, fromMs)
    const before = limit()
    expect(before).toBeGreaterThan(0)
    for (let order = 0; order < 4; order++) fleet.exposure.reserve(token.id, before)
    expect(limit()).toBe(0)
    for (let order = 0; order < 4; order++) fleet.exposure.reserve(token.id, -before)
    expect(limit()).toBe(before)
  })
})
