import { launchEvent } from '@papermoon/live/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { CacheEntry } from '../../src/cache/cache-entry.ts'
import { EventLog } from '../../src/cache/event-log.ts'
import { StaleFallback } from '../../src/cache/stale-fallback.ts'
import { TimeoutError } from '../../src/lib/timeout.ts'
import { createTestServer, type TestServer, type Visitor } from '../support/test-server.ts'

let server: TestServer
let player: Visitor
let tokenId: number
beforeAll(async () => {
  server = await createTestServer()
  player = await server.player()
  tokenId = await player.launch({ initialBuyAmount: '1' })
  for (const path of paths()) expect((await server.visitor().get(path)).statusCode, path).toBe(200)
})
afterAll(() => server?.close())

/** Everything that everybody may read and that is shared. */
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

describe('while the database is away', () => {
  const wellKnown = new Map<string, string>()
  beforeAll(async () => {
    for (const path of paths()) wellKnown.set(path, (await server.visitor().get(path)).body)
    const { db, pool } = server.database
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { errno: -111, syscall: 'connect' })
    vi.spyOn(pool, 'connect').mockImplementation(async () => {
      throw refused
    })
  })
  afterAll(() => vi.restoreAllMocks())

  it('what was read before and is still right is served as ever', async () => {
    const answer = await server.visitor().get(`/api/tokens/${tokenId}/trades`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).not.toHaveProperty('warning')
  })

  it('what was read before is served when its time is over, too, and says how old it is, over REST', async () => {
    server.passTime(90_000)
    for (const path of ['/api/tokens', `/api/tokens/${tokenId}`, '/api/users/1/profile', '/api/leaderboard']) {
      const answer = await server.visitor().get(path)
      expect([path, answer.statusCode, answer.body]).toEqual([path, 200, wellKnown.get(path)])
      expect(answer.headers).toMatchObject({ warning: '110 - "Response is Stale"', 'cache-control': 'no-store' })
      expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(90)
    }
  })

  it('and over tRPC', async () => {
    const answer = await server.visitor().query('tokens.get', { id: tokenId })
    expect(answer.statusCode).toBe(200)
    expect(Number(answer.headers.age)).toBeGreaterThanOrEqual(90)
  })

  it('what nobody asked for before is 503 with Retry-After', async () => {
    for (const path of ['/api/tokens?search=nobody', '/api/users/999/profile']) {
      const answer = await server.visitor().get(path)
      expect([path, answer.statusCode, answer.headers['retry-after']]).toEqual([path, 503, '1'])
    }
  })

  it('an order is 503 with Retry-After', async () => {
    const answer = await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '1'])
  })

  it('the server lives and says that it is not ready', async () => {
    expect((await server.visitor().get('/healthz')).statusCode).toBe(200)
    expect((await server.visitor().get('/readyz')).statusCode).toBe(503)
  })

  it('none of it is logged as an error', () => {
    expect(server.logs.filter(({ level }) => level >= 50)).toEqual([])
  })
})

describe('a read that the database leaves without an answer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A reading that is never good for long, and of whose events none tells enough. */
  const open = () => {
    const log = new EventLog()
    const applyEvents = (data: object) => ({ data, stale: true })
    return {
      reading: new CacheEntry<object>({ log, applyEvents, isFresh: () => false }),
      tell: () => log.add(launchEvent()),
    }
  }
  const never = async (): Promise<never> => {
    throw new Error('asked')
  }
  /** A reading that was read once, and whose next read is late. */
  const openLate = async () => {
    const reads = new StaleFallback()
    const { reading, tell } = open()
    const known = await reads.get(reading, 0, async () => ({}))
    const silent = Promise.withResolvers<object>()
    const refused = expect(reads.get(reading, 0, () => silent.promise)).rejects.toThrow(TimeoutError)
    await vi.advanceTimersByTimeAsync(5_000)
    await refused
    return { reads, reading, tell, known, silent }
  }

  it('is waited for as long as it takes where nothing was known', async () => {
    const { reading } = open()
    const slow = Promise.withResolvers<object>()
    const answer = new StaleFallback().get(reading, 0, () => slow.promise)
    await vi.advanceTimersByTimeAsync(60_000)
    const value = {}
    slow.resolve(value)
    expect(await answer).toBe(value)
  })

  it('is not waited for by who can be shown something, and asked for once, until it ends', async () => {
    const { reads, reading, known, silent } = await openLate()
    expect(reading.getLast()?.value).toBe(known)
    await expect(reads.get(reading, 0, never)).rejects.toThrow(TimeoutError)
    silent.reject(new Error('gave up'))
    await vi.advanceTimersByTimeAsync(0)
    const value = {}
    expect(await reads.get(reading, 0, async () => value)).toBe(value)
  })

  it('is asked for anew as soon as the database has answered another', async () => {
    const { reads, reading, silent } = await openLate()
    await reads.get(open().reading, 0, async () => ({}))
    const value = {}
    expect(await reads.get(reading, 0, async () => value)).toBe(value)
    silent.resolve({})
    await vi.advanceTimersByTimeAsync(0)
    expect(reading.getLast()?.value).toBe(value)
  })

  it('is asked for anew as soon as something happened that it cannot tell of', async () => {
    const { reads, reading, tell } = await openLate()
    tell()
    const value = {}
    expect(await reads.get(reading, 0, async () => value)).toBe(value)
  })

  it('is under way twice at most, and its answer is taken where the second has none', async () => {
    const { reads, reading, tell, silent } = await openLate()
    tell()
    const refused = expect(reads.get(reading, 0, () => new Promise(() => {}))).rejects.toThrow(TimeoutError)
    await vi.advanceTimersByTimeAsync(5_000)
    await refused
    tell()
    await expect(reads.get(reading, 0, never)).rejects.toThrow(TimeoutError)
    const value = {}
    silent.resolve(value)
    await vi.advanceTimersByTimeAsync(0)
    expect(reading.getLast()?.value).toBe(value)
  })
})
