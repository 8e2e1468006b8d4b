import { needs } from '@papermoon/db/testing'
import { describe, expect, it } from 'vitest'
import { tradeOnNodes } from './faults/nodes.ts'
import { hasRedis } from './support/redis.ts'

const MAX_MS = 180_000
const ORDERS = 100

/** More: `npm run chaos -- nodes`. */
describe.each([
  { name: 'two API processes on one database', nodes: 2, hasRedis: false, isOneKilled: false },
  { name: 'three with a Redis between them, one of which is killed', nodes: 3, hasRedis: true, isOneKilled: true },
])('$name', ({ name: _, ...plan }) => {
  const options = { timeout: MAX_MS, ...(plan.hasRedis && needs('redis-server', hasRedis())) }

  it('have no deadlock and exact sums, and a key holds across them', options, async () => {
    const { deadlocks, twins, trades } = await tradeOnNodes({ ...plan, orders: ORDERS })
    expect(deadlocks).toBe(0)
    expect(twins).toBeGreaterThan(0)
    expect(trades).toBeGreaterThanOrEqual(2 * ORDERS)
  })
})
