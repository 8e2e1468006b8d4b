import { needs } from '@papermoon/db/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AwayMarket } from './faults/away.ts'

const ROUND_MAX_MS = 180_000
const AWAY_S = 3

/** Longer: `npm run chaos -- away --seconds 30`. */
describe('PostgreSQL away under a running API', () => {
  let market: AwayMarket
  beforeAll(async () => {
    market = await AwayMarket.start()
  }, 240_000)
  afterAll(() => market.remove(), 120_000)

  it(
    'killed: orders are 503 with Retry-After, what is kept is read, nothing hangs, and it passes by itself',
    async () => {
      const { unavailable, served, refused, notReady } = await market.round('killed', AWAY_S)
      for (const count of [unavailable, served, refused, notReady]) expect(count).toBeGreaterThan(0)
    },
    ROUND_MAX_MS,
  )

  // Needs /proc to find PostgreSQL's processes.
  it('frozen: cached queries are served, nothing hangs, and it recovers by itself', {
    timeout: ROUND_MAX_MS,
    ...needs('Linux', process.platform === 'linux'),
  }, async () => {
    const { served, notReady } = await market.round('frozen', AWAY_S)
    for (const count of [served, notReady]) expect(count).toBeGreaterThan(0)
  })
})
