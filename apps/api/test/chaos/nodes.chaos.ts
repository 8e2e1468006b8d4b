import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { type NodesPlan, tradeOnNodes } from './faults/nodes.ts'
import { hasRedis } from './support/redis.ts'

const MAX_MS = 180_000
const ORDERS = 100

/** More: `npm run chaos -- nodes`. */
describe('three API processes with a Redis between them, one of which is killed', () => {
  it(
    'have no deadlock and exact sums, and a key holds across them',
    { timeout: MAX_MS, ...needs('redis-server', hasRedis()) },
    async () => await trade({ nodes: 3, hasRedis: true, isOneKilled: true }),
  )
})

async function trade(plan: Omit<NodesPlan, 'orders'>): Promise<void> {
  const { deadlocks, twins, trades } = await tradeOnNodes({ ...plan, orders: ORDERS })
  expect(deadlocks).toBe(0)
  expect(twins).toBeGreaterThan(0)
  expect(trades).toBeGreaterThanOrEqual(2 * ORDERS)
}
