import { Decimal } from '@papermoon/amm'
import { sorts, timeframes } from '@papermoon/contract/tokens'
import type { TokenId, UserId } from '@papermoon/engine'
import { DomainError, systemTimers } from '@papermoon/engine'
import { createTestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonBody, jsonText } from '../../src/cache/cache-entry.ts'
import { Memory } from '../../src/cache/memory.ts'
import { type CachedQuery, deepFreeze, isSameMinute, QueryCache } from '../../src/cache/query-cache.ts'
import type { App } from '../../src/context.ts'
import { readPosition } from '../../src/events/journal.ts'
import { readJournal } from '../../src/events/journal-reader.ts'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { getLeaderboard } from '../../src/features/leaderboard/get.ts'
import { getChart } from '../../src/features/tokens/chart/chart.ts'
import { getToken } from '../../src/features/tokens/get.ts'
import { latestTrades } from '../../src/features/tokens/history/token-trades.ts'
import { topHolders } from '../../src/features/tokens/holders.ts'
import { listTokens } from '../../src/features/tokens/list/list.ts'
import { getProfile } from '../../src/features/users/profile.ts'
import { createIdleFeed } from '../support/idle-feed.ts'
import { generator } from '../support/random-trading.ts'

const log = pino({ level: 'silent' })
/** The clock of the cache stands still, so that no result expires by age. The clock of the market moves. */
const START_MS = Date.parse('2026-03-01T12:10:00.000Z')
let nowMs = START_MS
const marketClock = { now: () => new Date(nowMs) }
const stillClock = { now: () => new Date(START_MS) }

const read = (after: number, through: number) => readJournal(market.db, { after, through, limit: 1_000 })
const market = await createTestMarket({ clock: marketClock, publish: (batch) => feed.publish(batch) })
const feed = new LiveFeed({ log, position: 0, read })
const app = appWith(new QueryCache({ feed, clock: stillClock }))
afterAll(() => market.close())

function appWith(queryCache: QueryCache): App {
  const memory = new Memory(systemTimers)
  return { platform: { db: market.db, clock: marketClock }, market: { queryCache, memory } } as App
}

async function heldBy(userId: UserId, tokenId: TokenId): Promise<string | null> {
  const row = await market.db
    .selectFrom('holdings')
    .select('amount')
    .where('user_id', '=', userId)
    .where('token_id', '=', tokenId)
    .where('amount', '>', '0')
    .executeTakeFirst()
  return row?.amount ?? null
}

function fail(): never {
  throw new Error('there is none')
}

function assertRefused(error: unknown): void {
  if (!(error instanceof DomainError)) throw error
}

async function ids(table: 'tokens' | 'users'): Promise<number[]> {
  const rows = await market.db.selectFrom(table).select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Returns the results of all cached queries. */
async function readAll(of: App): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const sort of sorts) {
    for (const rugged of ['show', 'hide'] as const) {
      const order = { sort, rugged }
      const name = `${sort} ${rugged}`
      for (const limit of [3, 1_000]) all[`${name} ${limit}`] = await listTokens(of, { ...order, limit })
      const { nextCursor } = await listTokens(of, { ...order, limit: 2 })
      all[`${name} page 2`] = await listTokens(of, { ...order, limit: 2, cursor: nextCursor })
      all[`${name} last page`] = await listTokens(of, { ...order, limit: 100, cursor: nextCursor })
      all[`${name} search`] = await listTokens(of, { ...order, limit: 5, search: 'moon' })
    }
  }
  for (const id of (await ids('tokens')) as TokenId[]) {
    all[`token ${id}`] = await getToken(of, id)
    all[`trades ${id}`] = await latestTrades(of, id)
    all[`holders ${id}`] = await topHolders(of, id)
    for (const timeframe of timeframes) all[`chart ${id} ${timeframe}`] = await getChart(of, { id, timeframe })
  }
  for (const id of ((await ids('users')) as UserId[]).slice(0, 4)) all[`profile ${id}`] = await getProfile(of, id)
  return all
}

describe('cached queries', () => {
  it('patched with events equal fresh reads of the database after every few orders', async () => {
    const players = await Promise.all(Array.from({ length: 25 }, () => market.addPlayer()))
    const [creator = players[0] as UserId] = players
    const tokens: TokenId[] = []
    for (let count = 0; count < 5; count++) tokens.push(await market.launch(creator, '0.5'))
    // The token gets more holders than the query of holders lists.
    for (const player of players) await market.buy(player, tokens[0] as TokenId, '0.2')
    const next = generator(7)
    const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T
    for (let order = 1; order <= 50; order++) {
      nowMs += 15_000
      const player = pick(players)
      const tokenId = pick(tokens.slice(0, order < 30 ? 2 : 5))
      const held = await heldBy(player, tokenId)
      const done =
        order % 20 === 0
          ? market.launch(player).then((id) => tokens.push(id))
          : order === 45
            ? market.engine.submit({ kind: 'rug', userId: creator, tokenId: tokens[1] as TokenId })
            : held !== null && next(3) === 0
              ? market.sell(player, tokenId, next(2) === 0 ? held : new Decimal(held).div(3).toFixed(6))
              : market.buy(player, tokenId, `${next(2)}.${1 + next(999_999_999)}`)
      await done.catch(assertRefused)
      if (order % 25 > 0) continue
      const fresh = appWith(new QueryCache({ feed, clock: stillClock }))
      expect(await readAll(app)).toEqual(await readAll(fresh))
    }
  }, 240_000)

  it('share one read of the leaderboard among all callers for 30 seconds, whatever is traded', async () => {
    const own = appWith(new QueryCache({ feed, clock: marketClock }))
    const first = await getLeaderboard(own)
    await market.buy(await market.addPlayer(), await market.launch(await market.addPlayer()), '1')
    nowMs += 29_999
    expect(await getLeaderboard(own)).toBe(first)
    nowMs += 1
    const boards = await Promise.all(Array.from({ length: 10 }, () => getLeaderboard(own)))
    expect(new Set(boards).size).toBe(1)
    expect(boards[0]).not.toBe(first)
  })

  it('are frozen, and are serialized only once', async () => {
    const page = await listTokens(app, { sort: 'newest', rugged: 'show', limit: 10 })
    expect(Object.isFrozen(page.tokens[0]?.pool)).toBe(true)
    expect(jsonText(page.tokens)).toBe(JSON.stringify(page.tokens))
    const large = deepFreeze(Array.from({ length: 1_000 }, () => 'paper moon 🌙'))
    expect(jsonBody(large)).toBe(jsonBody(large))
    expect(String(jsonBody(large))).toBe(JSON.stringify(large))
    const [first] = page.tokens
    expect(jsonText(await getToken(app, (first as { id: TokenId }).id))).toBe(JSON.stringify(first))
  })
})

describe('the query cache', () => {
  const schema = z.object({ size: z.int() })
  const kind: CachedQuery<{ id: number; rows: number }, { size: number }> = {
    name: 'test',
    schema,
    key: ({ id }) => String(id),
    weight: ({ rows }) => rows,
    isFresh: () => true,
    scope: () => 'market',
    applyEvents: (value) => ({ data: value, stale: false }),
  }

  it('evicts the least recently used result when it is full', async () => {
    const queryCache = new QueryCache({ feed, clock: stillClock })
    const read: number[] = []
    const get = (id: number) =>
      queryCache.get(kind, { id, rows: 5_000 }, async () => {
        read.push(id)
        return { size: id }
      })
    for (const id of [1, 2, 1, 3, 1, 2]) await get(id)
    expect(read).toEqual([1, 2, 3, 2])
  })

  it('is cleared when an operator hides or unhides a token', async () => {
    const own = createIdleFeed()
    const queryCache = new QueryCache({ feed: own, clock: stillClock })
    let size = 0
    const get = () => queryCache.get(kind, { id: 1, rows: 1 }, async () => ({ size: ++size }))
    await get()
    own.setHidden([])
    expect(await get()).toEqual({ size: 1 })
    own.setHidden([7])
    expect(await get()).toEqual({ size: 2 })
    own.setHidden([])
    expect(await get()).toEqual({ size: 3 })
  })

  it('keeps results of a time window until the minute ends', () => {
    const minute = Date.parse('2026-03-01T12:10:00.000Z')
    expect(isSameMinute(minute + 1, minute + 60_000)).toBe(true)
    expect(isSameMinute(minute + 1, minute + 60_001)).toBe(false)
    expect(isSameMinute(minute + 1, minute)).toBe(false)
  })

  it('rejects a result that does not match its schema, and does not keep it', async () => {
    const queryCache = new QueryCache({ feed, clock: stillClock })
    await expect(queryCache.get(kind, { id: 1, rows: 1 }, async () => ({ size: 0.5 }))).rejects.toThrow()
    expect(await queryCache.get(kind, { id: 1, rows: 1 }, async () => ({ size: 1 }))).toEqual({ size: 1 })
  })

  it('waits for events that the feed cannot deliver yet, and reads the database if that fails', async () => {
    const player = await market.addPlayer()
    const tokenId = await market.launch(player)
    let isAway = false
    const behind = new LiveFeed({
      log,
      position: await readPosition(market.db),
      read: async (after, through) => {
        if (isAway) throw new Error('connection refused')
        return await read(after, through)
      },
    })
    const queryCache = new QueryCache({ feed: behind, clock: stillClock })
    const own = appWith(queryCache)
    const before = await getToken(own, tokenId)
    const handle = queryCache.findHandle(before) ?? fail()
    expect([before.seq, queryCache.peek(handle)]).toEqual([0, before])
    await market.buy(player, tokenId, '0.1')
    await market.buy(player, tokenId, '0.1')
    // The feed misses the event before this one, as if another node had published it.
    isAway = true
    behind.publish(market.batches.at(-1) ?? fail())
    expect([behind.isBehind, queryCache.peek(handle)]).toEqual([true, null])
    expect((await getToken(own, tokenId)).seq).toBe(2)
    isAway = false
    await behind.catchUp()
    expect(behind.isBehind).toBe(false)
    await market.buy(player, tokenId, '0.1')
    await market.buy(player, tokenId, '0.1')
    behind.publish(market.batches.at(-1) ?? fail())
    expect((await getToken(own, tokenId)).seq).toBe(4)
    expect(behind.isBehind).toBe(false)
  })
})
