import { type MarketEvent, systemTimers, type TokenId, type UserId } from '@papermoon/engine'
import { createTestMarket, ManualTimers } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hide, unhide } from '../../src/commands/admin/moderate.ts'
import { readPosition } from '../../src/events/journal.ts'
import { JournalReader } from '../../src/events/journal-reader.ts'
import type { LiveFeed } from '../../src/events/live-feed.ts'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import type { EventStream } from '../../src/events/stream/event-stream.ts'
import { EventCursors } from '../../src/events/stream/event-text.ts'
import { createStreamMetrics, type Outlet } from '../../src/events/stream/live-subscription.ts'
import { findCatchUpStart, followToken } from '../../src/features/live/follow-events.ts'
import { createEventCounter, type Listener, replay } from '../../src/features/live/replay.ts'
import { followMarket, type ResumeAt } from '../../src/features/live/router.ts'
import { noRateLimits } from '../../src/security/rate-limits.ts'
import { insertTrades } from '../support/insert-trades.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

/** A connection that records the events it receives. */
class Noting implements Outlet {
  readonly ip = ''
  readonly isStrict = true
  readonly events: MarketEvent[] = []
  readonly format = {
    name: 'noting',
    isNamed: false,
    toText: ({ json }: { readonly json: string }) => json,
    toBytes: (texts: readonly string[]) => Buffer.from(`[${texts.join(',')}]`),
  }
  readonly drained: () => Promise<void>
  readonly #ended = new AbortController()

  constructor(drained: () => Promise<void> = async () => {}) {
    this.drained = drained
  }

  get signal(): AbortSignal {
    return this.#ended.signal
  }

  get seqs(): number[] {
    return this.events.map(({ seq }) => seq)
  }

  receive(bytes: Buffer): void {
    const events: MarketEvent[] = JSON.parse(bytes.toString())
    // The server must not send an empty group as a message.
    expect(events).not.toEqual([])
    this.events.push(...events)
  }

  moveTo(): void {}

  goLive(end: () => void): void {
    this.signal.addEventListener('abort', end)
  }

  hide(): void {
    this.close()
  }

  close(): void {
    this.#ended.abort()
  }
}

const market = await createTestMarket()
afterAll(() => market.close())
let player: UserId
let tokenId: TokenId
let feed: LiveFeed
let stream: EventStream
let app: Listener['app']
let stopFeed: () => Promise<void>
beforeEach(async () => {
  player = await market.addPlayer()
  tokenId = await market.launch(player)
  const { db } = market
  const started = await startLiveFeed({ db, log: pino({ level: 'silent' }), bufferedMax: 1_500 })
  feed = started.feed
  stream = started.stream
  stopFeed = started.stop
  const clock = { now: () => new Date() }
  app = {
    platform: { db, clock, timers: systemTimers },
    accounts: { limits: noRateLimits },
    live: {
      feed,
      stream,
      journal: new JournalReader({ db, feed }),
      streamMetrics: createStreamMetrics(new Registry()),
    },
  }
})
afterEach(() => stopFeed())

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const follow = (outlet: Outlet, lastSeq: number | null) => followToken({ app, outlet }, { tokenId, lastSeq })
const followAll = (outlet: Outlet, at: ResumeAt, wanted: Parameters<typeof followMarket>[2] = {}) =>
  followMarket({ app, outlet }, at, wanted)
const hears = (outlet: Noting, seqs: readonly number[]) =>
  vi.waitFor(() => expect(outlet.seqs).toEqual(seqs), WAIT_MAX_MS)

/** Trades, and publishes the trade's events as this node would. */
async function trade(): Promise<void> {
  await market.buy(player, tokenId, '0.1')
  publishLast()
}

function publishLast(): void {
  for (const batch of market.batches.slice(-1)) feed.publish(batch)
}

async function hideToken(isHidden: boolean): Promise<void> {
  await (isHidden ? hide : unhide)(market, String(tokenId))
  await vi.waitFor(() => expect(feed.isHidden(tokenId)).toBe(isHidden), { timeout: WAIT_MAX_MS })
}

describe('a token’s events', () => {
  it('resume after the last one received, first from the journal and then live, none twice', async () => {
    for (let i = 0; i < 5; i++) await trade()
    const outlet = new Noting()
    await follow(outlet, 2)
    expect(outlet.seqs).toEqual([3, 4, 5])
    await trade()
    await trade()
    await hears(outlet, range(3, 7))
    outlet.close()
    await trade()
    expect(outlet.seqs).toEqual(range(3, 7))
    expect(stream.subscribers).toBe(0)
  })

  it('start now for a subscriber without a last event id', async () => {
    await trade()
    const outlet = new Noting()
    await follow(outlet, null)
    await trade()
    await hears(outlet, [2])
  })

  it('arrive once and in order for subscribers that join while others are being sent them', async () => {
    const outlets: Noting[] = []
    for (let i = 0; i < 200; i++) {
      const outlet = new Noting()
      outlets.push(outlet)
      const following = follow(outlet, 0)
      if (i % 4 === 0) await trade()
      await following
    }
    for (const outlet of outlets) await hears(outlet, range(1, 50))
  })

  it('are read from the journal again if a slow read took longer than memory keeps events', async () => {
    // The token gets more events than memory keeps.
    await insertTrades(market.db, tokenId, [1, 1_600])
    await feed.catchUp(await readPosition(market.db))
    const read = Promise.withResolvers<void>()
    const outlet = new Noting(() => read.promise)
    const following = follow(outlet, 0)
    await hears(outlet, range(1, 500))
    // While the connection is slow, the same number of events happens again.
    await insertTrades(market.db, tokenId, [1_601, 3_200])
    await feed.catchUp(await readPosition(market.db))
    read.resolve()
    await following
    await hears(outlet, range(1, 3_200))
  })

  it('reach a subscriber whose last event id is beyond the end, as after a restore', async () => {
    const outlet = new Noting()
    await follow(outlet, 57)
    await trade()
    await hears(outlet, [1])
  })

  it('are first delivered to this node if the journal has newer ones', async () => {
    await trade()
    await insertTrades(market.db, tokenId, [2, 3])
    const outlet = new Noting()
    await follow(outlet, 2)
    await hears(outlet, [3])
    expect(feed.isBehind).toBe(false)
  })

  it('end when an operator hides their token, before any later event', async () => {
    const outlet = new Noting()
    await follow(outlet, 0)
    await trade()
    await hears(outlet, [1])
    await hideToken(true)
    await market.sell(player, tokenId, '1000')
    publishLast()
    await vi.waitFor(() => expect(outlet.signal.aborted).toBe(true))
    expect(outlet.seqs).toEqual([1])
    await expect(follow(new Noting(), 0)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
  })

  it.each([
    [9_999, 0],
    [10_000, 0],
    [10_001, 500],
    [10_500, 500],
    [123_456, 113_500],
  ])('up to event %i begin after %i, at a page, for those who are too far behind', (lastSeq, start) => {
    expect(Math.max(0, findCatchUpStart(lastSeq))).toBe(start)
  })

  it('are about the last ten thousand for subscribers that missed more', async () => {
    await insertTrades(market.db, tokenId, [1, 10_100])
    const outlet = new Noting()
    await follow(outlet, 0)
    expect([outlet.seqs[0], outlet.seqs.at(-1), outlet.seqs.length]).toEqual([501, 10_100, 9_600])
    outlet.close()
  })
})

describe('the events of the whole market', () => {
  it('resume shortly before a time', async () => {
    const before = new Date()
    await market.buy(player, tokenId, '0.1')
    const outlet = new Noting()
    await followAll(outlet, before)
    const seqs = () => outlet.events.filter((event) => event.tokenId === tokenId).map(({ seq }) => seq)
    await vi.waitFor(() => expect(seqs().slice(0, 2)).toEqual([0, 1]), WAIT_MAX_MS)
    await trade()
    await vi.waitFor(() => expect(seqs()).toContain(2), WAIT_MAX_MS)
  })

  it('are rejected if some are no longer stored', async () => {
    await trade()
    await sql`update trades set created_at = now() - interval '27 hours'`.execute(market.db)
    const days = new Date(Date.now() - 3 * 86_400_000)
    await expect(followAll(new Noting(), days)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    // A page that follows seals for days still uses its first cursor, which must stay valid.
    await expect(followAll(new Noting(), days, { types: ['seal'] })).resolves.toBeUndefined()
    const other = new EventCursors(Buffer.from('another database'))
    const foreign = stream.cursors.parse(other.format(1)) ?? days
    await expect(followAll(new Noting(), foreign)).rejects.toThrow('no longer has the events after lastEventId')
  })

  it('omit hidden tokens, live and from the journal, until they are unhidden', async () => {
    const other = await market.launch(player)
    await market.buy(player, tokenId, '0.1')
    const hidden = market.batches.at(-1)
    await hideToken(true)
    const outlet = new Noting()
    await followAll(outlet, new Date(Date.now() - 60_000))
    if (hidden !== undefined) feed.publish(hidden)
    await market.buy(player, other, '0.1')
    publishLast()
    const isLast = (wanted: TokenId) =>
      vi.waitFor(() => expect(outlet.events.at(-1)).toMatchObject({ type: 'trade', tokenId: wanted }), WAIT_MAX_MS)
    await isLast(other)
    // Ignore the tokens of earlier tests, which have lower ids.
    const own = outlet.events.filter((event) => event.tokenId >= tokenId)
    expect(new Set(own.map((event) => event.tokenId))).toEqual(new Set([other]))
    await hideToken(false)
    await trade()
    await isLast(tokenId)
  })
})

it.each([
  [[49], 0],
  [[25, 25], 1],
  [new Array<number>(10).fill(500), 100],
])('pages of %j events of the journal cost %i reads', async (pages, reads) => {
  const spend = vi.fn(async (..._: unknown[]) => {})
  const count = createEventCounter({
    app: { platform: { timers: systemTimers }, accounts: { limits: { ...noRateLimits, spend } } },
    outlet: new Noting(),
  })
  for (const events of pages) await count(events)
  expect(spend.mock.calls.reduce((sum, call) => sum + Number(call[2]), 0)).toBe(reads)
})

it('a large page is followed by a pause, in which no more than three other pages are read', async () => {
  const timers = new ManualTimers()
  const reader = { app: { platform: { timers } }, outlet: { ip: '' } }
  const left: number[] = []
  const read = (events: number) =>
    replay(
      reader,
      async () => events,
      (count) => count,
    ).then((count) => left.push(count))
  const pages = [100, 100, 100, 100, 99].map(read)
  await timers.untilAwaited()
  for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate)
  expect(left).toEqual([])
  timers.pass(4)
  await Promise.all(pages)
  expect(left).toEqual([100, 100, 100, 100, 99])
})
