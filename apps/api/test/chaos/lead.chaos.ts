import { describe, expect, it } from 'vitest'
import { describeLead, replaceLeader } from './faults/lead.ts'

const MAX_MS = 180_000

/** More: `npm run chaos -- lead`. */
describe('two nodes whose orders meet in one engine', () => {
  it.each(['killed', 'frozen'] as const)(
    'replace a leader that is %s, lose and double nothing, and show each caller its own orders',
    async (fault) => {
      const seen = await replaceLeader({ fault, orders: 150, reads: 200 })
      process.stdout.write(`${describeLead({ fault }, seen)}\n`)
      expect(seen.stale).toBe(0)
      expect(seen.reads).toBeGreaterThanOrEqual(200)
      expect(seen.forwarded).toBeGreaterThan(50)
      // Two seconds on a free machine; the printed figure tells.
      expect(seen.replacedMs).toBeLessThan(30_000)
    },
    MAX_MS,
  )
})
