import { TimeoutError } from '@papermoon/db'
import { launchEvent } from '@papermoon/live/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CacheEntry, EventLog } from '../../src/cache/cache-entry.ts'
import { StaleFallback } from '../../src/cache/query-cache.ts'
import { shareTestServer } from '../support/test-server.ts'

/** A read waits at most five seconds. Then the fallback checks once more what has arrived. */
const LATE_MS = 5_001

const server = await shareTestServer()
const player = await server.player()
const tokenId = await player.launch({ initialBuyAmount: '1' })
beforeAll(async () => {
  for (const path of paths()) expect((await server.visitor().get(path)).statusCode, path).toBe(200)
})

/** Returns the paths of all cached queries. */
const paths = () => [
  '/api/tokens',
  '/api/tokens?limit=5&sort=newest',
  '/api/tokens/movers',
  '/api/tokens/tape',
  `/api/tokens/${tokenId}`,
  `/api/tokens/${tokenId}/trades`,
  `/api/tokens/${tokenId}/holders`,
  `/api/charts/${tokenId}`,
  '/api/users/1/profile',
  '/api/leaderboard',
]

describe('while the database is unreachable', () => {
  const bodies = new Map<string, string>()
  beforeAll(async () => {
    for (const path of paths()) bodies.set(path, (await server.visitor().get(path)).body)
    const { db, pool } = server.database
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { errno: -111, syscall: 'connect' })
    vi.spyOn(pool, 'connect').mockImplementation(async () => {
      throw refused
    })
  })
  afterAll(() => vi.restoreAllMocks())

  it('fresh results are served as usual', async () => {
    const answer = await server.visitor().get(`/api/tokens/${tokenId}/trades`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).not.toHaveProperty('warning')
  })

  it('expired results are served over REST with their age', async () => {
    server.passTime(90_000)
    for (const path of ['/api/tokens', `/api/tokens/${tokenId}`, '/api/users/1/profile', '/api/leaderboard']) {
      const answer = await server.visitor().get(path)
      expect([path, answer.statusCode, answer.body]).toEqual([path, 200, bodies.get(path)])
      expect(answer.headers).toMatchObject({ warning: '110 - "Response is Stale"', 'cache-control': 'no-store' })
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(90)
    }
  })

  it('expired results are served over tRPC with their age', async () => {
    const answer = await server.visitor().query('tokens.get', { id: tokenId })
    expect(answer.statusCode).toBe(200)
    expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(90)
  })

  it('queries without a cached result get 503 with Retry-After', async () => {
    for (const path of ['/api/tokens?search=nobody', '/api/users/999/profile']) {
      const answer = await server.visitor().get(path)
      expect([path, answer.statusCode, answer.headers['retry-after']]).toEqual([path, 503, '1'])
    }
  })

  it('an order gets 503 with Retry-After', async () => {
    const answer = await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
  })

  it('the server is live but not ready', async () => {
    expect((await server.visitor().get('/healthz')).statusCode).toBe(200)
    expect((await server.visitor().get('/readyz')).statusCode).toBe(503)
  })

  it('nothing is logged as an error', () => {
    expect(server.logs.filter(({ level }) => level >= 50)).toEqual([])
  })
})

describe('a read that the database does not respond to', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Creates an entry that is never fresh and that no event can patch. */
  const open = () => {
    const log = new EventLog()
    const applyEvents = (data: object) => ({ data, stale: true })
    return {
      entry: new CacheEntry<object>({ log, applyEvents, isFresh: () => false }),
      publish: () => log.add(launchEvent()),
    }
  }
  const never = async (): Promise<never> => {
    throw new Error('asked')
  }
  /** Creates an entry with a value whose next read is overdue. */
  const openLate = async () => {
    const fallback = new StaleFallback()
    const { entry, publish } = open()
    const known = await fallback.get(entry, 0, async () => ({}))
    const silent = Promise.withResolvers<object>()
    const refused = expect(fallback.get(entry, 0, () => silent.promise)).rejects.toThrow(TimeoutError)
    await vi.advanceTimersByTimeAsync(LATE_MS)
    await refused
    return { fallback, entry, publish, known, silent }
  }

  it('makes callers wait without limit if there is no stale value', async () => {
    const { entry } = open()
    const slow = Promise.withResolvers<object>()
    const answer = new StaleFallback().get(entry, 0, () => slow.promise)
    await vi.advanceTimersByTimeAsync(60_000)
    const value = {}
    slow.resolve(value)
    expect(await answer).toBe(value)
  })

  it('is started once, and callers stop waiting when it is overdue and there is a stale value', async () => {
    const { fallback, entry, known, silent } = await openLate()
    expect(entry.getLast()?.value).toBe(known)
    await expect(fallback.get(entry, 0, never)).rejects.toThrow(TimeoutError)
    silent.reject(new Error('gave up'))
    await vi.advanceTimersByTimeAsync(0)
    const value = {}
    expect(await fallback.get(entry, 0, async () => value)).toBe(value)
  })

  it('is started again as soon as the database has responded to another read', async () => {
    const { fallback, entry, silent } = await openLate()
    await fallback.get(open().entry, 0, async () => ({}))
    const value = {}
    expect(await fallback.get(entry, 0, async () => value)).toBe(value)
    silent.resolve({})
    await vi.advanceTimersByTimeAsync(0)
    expect(entry.getLast()?.value).toBe(value)
  })

  it('is started again as soon as an event arrives that its value may lack', async () => {
    const { fallback, entry, publish } = await openLate()
    publish()
    const value = {}
    expect(await fallback.get(entry, 0, async () => value)).toBe(value)
  })

  it('runs at most twice at a time, and the first read’s result is used if the second has none', async () => {
    const { fallback, entry, publish, silent } = await openLate()
    publish()
    const refused = expect(fallback.get(entry, 0, () => new Promise(() => {}))).rejects.toThrow(TimeoutError)
    await vi.advanceTimersByTimeAsync(LATE_MS)
    await refused
    publish()
    await expect(fallback.get(entry, 0, never)).rejects.toThrow(TimeoutError)
    const value = {}
    silent.resolve(value)
    await vi.advanceTimersByTimeAsync(0)
    expect(entry.getLast()?.value).toBe(value)
  })
})
