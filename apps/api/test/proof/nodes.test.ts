import { describe, expect, it } from 'vitest'
import { tradeOnNodes } from './chaos/nodes.ts'

const MAX_MS = 180_000
const ORDERS = 100

/** More: `npm run chaos -- nodes`. */
describe('several API processes on one database that trade the same tokens', () => {
  it.each([
    { nodes: 2, hasRedis: false, isOneKilled: false },
    { nodes: 3, hasRedis: true, isOneKilled: true },
  ])(
    'have no deadlock and exact sums, and a key holds across them ($nodes, Redis: $hasRedis, one killed: $isOneKilled)',
    async (plan) => {
      const { deadlocks, twins, trades } = await tradeOnNodes({ ...plan, orders: ORDERS })
      expect(deadlocks).toBe(0)
      expect(twins).toBeGreaterThan(0)
      expect(trades).toBeGreaterThanOrEqual(2 * ORDERS)
    },
    MAX_MS,
  )
})
