import { describe, expect, it } from 'vitest'
import { type NodesPlan, tradeOnNodes } from './faults/nodes.ts'

const MAX_MS = 180_000
const ORDERS = 100

/** More: `npm run chaos -- nodes`. */
describe('several API processes on one database that trade the same tokens', () => {
  it(
    'have no deadlock and exact sums, and a key holds across them',
    async () => await trade({ nodes: 2, hasRedis: false, isOneKilled: false }),
    MAX_MS,
  )
})

async function trade(plan: Omit<NodesPlan, 'orders'>): Promise<void> {
  const { deadlocks, twins, trades } = await tradeOnNodes({ ...plan, orders: ORDERS })
  expect(deadlocks).toBe(0)
  expect(twins).toBeGreaterThan(0)
  expect(trades).toBeGreaterThanOrEqual(2 * ORDERS)
}
