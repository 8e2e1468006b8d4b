import { describe, expect, it } from 'vitest'
import { floodMarket } from './faults/flood.ts'

/** More: `npm run chaos -- flood`. */
describe('one player who floods the market', () => {
  it('is held to eight orders at a time, and every order of everybody else succeeds', async () => {
    const { refused, flooded } = await floodMarket(5)
    expect(refused).toBeGreaterThan(0)
    expect(flooded).toBeGreaterThan(0)
  }, 240_000)
})
