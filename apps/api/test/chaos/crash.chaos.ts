import { afterAll, beforeAll, expect, it } from 'vitest'
import { KilledMarket, victims } from './faults/kills.ts'
import { startKillableServer } from './support/killable-server.ts'

const ROUND_MAX_MS = 180_000

let market: KilledMarket
beforeAll(async () => {
  market = new KilledMarket(await startKillableServer())
}, 240_000)
afterAll(() => market.server.remove(), 120_000)

/** More often: `npm run chaos -- kills --rounds 50`. */
it.each(victims)(
  'kill -9 of %s in the middle of a load loses no acknowledged trade, doubles none and leaves every sum exact',
  async (victim) => {
    const { interrupted, trades } = await market.round(victim)
    expect(interrupted).toBeGreaterThan(0)
    expect(trades).toBeGreaterThan(0)
  },
  ROUND_MAX_MS,
)
