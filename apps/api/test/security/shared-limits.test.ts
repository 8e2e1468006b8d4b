import { needs } from '@papermoon/db/testing'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createRateLimits, type LimitName, type RateLimits } from '../../src/security/rate-limits.ts'
import { hasRedis, type OwnRedis, startRedis } from '../chaos/support/redis.ts'

const caller = { ip: '203.0.113.7', header: () => {} }
const EMAIL = 'luna@papermoon.example'
const log = pino({ level: 'silent' })
const LIMIT_WINDOW_MIN_S = 300

describe('the limits of two nodes with a Redis between them', needs('redis-server', hasRedis()), () => {
  let redis: OwnRedis
  let nodes: readonly [RateLimits, RateLimits]
  /** Creates a node whose wait for Redis and whose rate limits' windows are long enough for a slow machine. */
  const createNode = () =>
    createRateLimits({ redisUrl: redis.url, log, redisAnswerMaxMs: 60_000, windowMinS: LIMIT_WINDOW_MIN_S })

  beforeEach(async () => {
    redis = await startRedis()
    nodes = [await createNode(), await createNode()]
    for (const node of nodes) await untilShared(node)
  })
  afterEach(async () => {
    for (const node of nodes) await node.close()
    await redis.stop('SIGKILL')
  })

  /** Waits until a node uses Redis. Before that, it counts by itself. */
  async function untilShared(node: RateLimits): Promise<void> {
    const own = new Redis(redis.url)
    await expect
      .poll(async () => {
        await node.spendAccount(caller, 'hourly', 'is it shared?')
        return await own.dbsize()
      })
      .toBeGreaterThan(0)
    await own.flushall()
    own.disconnect()
  }

  /** Returns how many calls of an account succeed, sent to the nodes in turn. */
  async function passed(limit: LimitName, account: string, calls: number): Promise<number> {
    let count = 0
    for (let i = 0; i < calls; i++) {
      const node = nodes[i % 2] ?? nodes[0]
      await node.spendAccount(caller, limit, account).then(
        () => count++,
        () => {},
      )
    }
    return count
  }

  it('count expensive calls and logins together', async () => {
    expect(await passed('sign-in', EMAIL, 40)).toBe(30)
    expect(await nodes[0].count('sign-in', EMAIL)).toBe(40)
    await nodes[1].refundAccount('sign-in', EMAIL)
    expect(await nodes[0].count('sign-in', EMAIL)).toBe(39)
    const addresses = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => (nodes[i % 2] ?? nodes[0]).spend(caller, 'attempt')),
    )
    expect(addresses.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
  })

  it('count reads and writes on each node, without asking Redis', async () => {
    expect(await passed('write', '7', 1_400)).toBe(1_200)
    await nodes[0].spend(caller, 'read')
    const own = new Redis(redis.url)
    expect(await own.dbsize()).toBe(0)
    own.disconnect()
  })

  it('store no email address in Redis, and all keys expire', async () => {
    await nodes[0].spendAccount(caller, 'sign-in', EMAIL)
    const own = new Redis(redis.url)
    const keys = await own.keys('*')
    expect(keys).toHaveLength(1)
    expect(keys.join()).not.toContain('luna')
    expect(await own.ttl(keys[0] ?? '')).toBeGreaterThan(0)
    own.disconnect()
  })

  it('count on each node while Redis is down, and together again afterwards', async () => {
    await redis.stop('SIGKILL')
    expect(await passed('sign-in', EMAIL, 70)).toBe(60)
    redis = await startRedis(redis.port)
    for (const node of nodes) await untilShared(node)
    expect(await passed('sign-in', EMAIL, 40)).toBe(30)
  })

  it('count on each node while Redis does not respond', async () => {
    const node = await createRateLimits({ redisUrl: redis.url, log })
    onTestFinished(() => node.close())
    await untilShared(node)
    redis.freeze()
    const calls = await Promise.allSettled(
      Array.from({ length: 35 }, () => node.spendAccount(caller, 'sign-in', EMAIL)),
    )
    redis.thaw()
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(30)
  })
})

describe('limits without Redis', () => {
  it.each([null, 'redis://127.0.0.1:1'])('are counted with REDIS_URL %s, and can be refunded', async (redisUrl) => {
    const limits = await createRateLimits({ redisUrl, log })
    for (let i = 0; i < 10; i++) await limits.spendAccount(caller, 'attempt', EMAIL)
    await expect(limits.spendAccount(caller, 'attempt', EMAIL)).rejects.toThrow('Too many requests')
    await limits.refundAccount('attempt', EMAIL)
    await limits.refundAccount('attempt', EMAIL)
    await limits.spendAccount(caller, 'attempt', EMAIL)
    await limits.close()
  })
})
