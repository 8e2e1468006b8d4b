import type { MarketEvent, TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hide, unhide } from '../../src/commands/admin/hide.ts'
import type { App } from '../../src/context.ts'
import { JournalPages } from '../../src/events/journal-pages.ts'
import { createLiveFeed, type LiveFeed } from '../../src/events/live-feed.ts'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import { EventCursors } from '../../src/events/stream/event-cursors.ts'
import type { EventStream } from '../../src/events/stream/event-stream.ts'
import { PastEvents } from '../../src/events/stream/past-events.ts'
import { WakeQueue } from '../../src/events/wake-queue.ts'
import type { LiveReader } from '../../src/features/live/live-reader.ts'
import { marketEvents, type ResumeAt } from '../../src/features/live/market-events.ts'
import { createReplayPageQueue, createReplayQueue } from '../../src/features/live/replay.ts'
import { type TokenEventsInput, tokenEvents } from '../../src/features/live/token-events.ts'
import type { WorkQueue } from '../../src/lib/work-queue.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const warnings: unknown[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })

/** A database whose first question finds it away. */
function awayOnce(db: TestMarket['db']): TestMarket['db'] {
  let isAway = true
  return new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (!isAway) return typeof value === 'function' ? value.bind(target) : value
      isAway = false
      throw new Error('connection refused')
    },
  })
}

let market: TestMarket
let player: UserId
let tokenId: TokenId
let feed: LiveFeed
let stream: EventStream
let stopFeed: () => Promise<void>
beforeEach(async () => {
  market = await createTestMarket()
  player = await market.addPlayer()
  tokenId = await market.launch(player)
  const started = await startLiveFeed({ db: market.db, log })
  feed = started.feed
  stream = started.stream
  stopFeed = started.stop
})
afterEach(async () => {
  await stopFeed()
  await market.close()
})

/** Trades, and returns the event that this node would publish. */
async function tradedEvent(): Promise<MarketEvent> {
  await market.buy(player, tokenId, '0.1')
  const event = market.events.at(-1)
  if (event === undefined) throw new Error('no event')
  return event
}

function listen(): number[] {
  const seqs: number[] = []
  feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
  return seqs
}

describe('the live feed', () => {
  it('delivers published events at once, and duplicates never', async () => {
    const seqs = listen()
    const event = await tradedEvent()
    feed.publish([event])
    feed.publish([event, event])
    expect(seqs).toEqual([1])
  })

  it('delivers a launch before the first trade even if the trade is published first', async () => {
    const other = await market.launch(player)
    await market.buy(player, other, '0.1')
    const heard: string[] = []
    // Without a poll, which might deliver the launch before anyone listens.
    const unpolled = createLiveFeed({ db: market.db, log, seqs: [] })
    unpolled.onEvent((event) => {
      if (event.tokenId === other) heard.push(`${event.type} ${event.seq}`)
    })
    unpolled.publish(market.events.slice(-1))
    await expect.poll(() => heard).toEqual(['token_launched 0', 'trade 1'])
    unpolled.publish(market.events.slice(-2))
    expect(heard).toHaveLength(2)
  })

  it('stays behind while a gap cannot be read, and catches up when it can', async () => {
    const away = createLiveFeed({ db: awayOnce(market.db), log, seqs: [{ tokenId, seq: 0 }] })
    const seqs: number[] = []
    away.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
    await tradedEvent()
    const second = await tradedEvent()
    away.publish([second])
    await vi.waitFor(() => expect(warnings).toContain('a gap in the live feed could not be read yet'), {
      timeout: WAIT_MAX_MS,
    })
    expect([away.isBehind(tokenId), away.isBehind(null)]).toEqual([true, true])
    away.catchUp(tokenId, 2)
    await vi.waitFor(() => expect(seqs).toEqual([1, 2]), { timeout: WAIT_MAX_MS })
    expect([away.isBehind(tokenId), away.isBehind(null)]).toEqual([false, false])
  })

  it('reads a gap from the journal before it delivers later events', async () => {
    const seqs = listen()
    await tradedEvent()
    await tradedEvent()
    const third = await tradedEvent()
    feed.publish([third])
    feed.publish([await tradedEvent()])
    await vi.waitFor(() => expect(seqs).toEqual([1, 2, 3, 4]), { timeout: WAIT_MAX_MS })
  })

  it('delivers the next event while it reads the journal for it, and none twice', async () => {
    const seqs = listen()
    const events = [await tradedEvent(), await tradedEvent()]
    // As a poll does that finds what this node has committed and not published yet.
    feed.catchUp(tokenId, 2)
    feed.publish(events)
    expect([seqs, feed.isBehind(tokenId), feed.isBehind(null)]).toEqual([[1, 2], false, false])
    await tradedEvent()
    feed.publish([await tradedEvent()])
    await vi.waitFor(() => expect(seqs).toEqual([1, 2, 3, 4]), { timeout: WAIT_MAX_MS })
  })

  it('finds unpublished trades and launches of another node by polling', async () => {
    const types: string[] = []
    feed.onEvent((event) => types.push(`${event.type} ${event.tokenId} ${event.seq}`))
    await tradedEvent()
    const other = await market.launch(player, '1')
    await vi.waitFor(
      () => expect(types.toSorted()).toEqual([`token_launched ${other} 0`, `trade ${tokenId} 1`, `trade ${other} 1`]),
      { timeout: WAIT_MAX_MS },
    )
  })

  it('builds the same events from the journal as were published', async () => {
    const told: MarketEvent[] = []
    feed.onTokenEvent(tokenId, (event) => told.push(event))
    const live = await tradedEvent()
    feed.catchUp(tokenId, 1)
    await vi.waitFor(() => expect(told).toEqual([live]), { timeout: WAIT_MAX_MS })
  })

  it('continues after a listener throws', async () => {
    feed.onEvent(() => {
      throw new Error('broken listener')
    })
    const seqs = listen()
    feed.publish([await tradedEvent()])
    expect(seqs).toEqual([1])
  })

  it('delivers nothing to a detached listener', async () => {
    const seqs: number[] = []
    feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))()
    feed.publish([await tradedEvent()])
    expect(seqs).toEqual([])
  })
})

describe('a token’s events', () => {
  /** Reads of the database for subscribers, so far. */
  let reads: number
  beforeEach(() => {
    reads = 0
  })

  const app = () => {
    const clock = { now: () => new Date() }
    const journalPages = new JournalPages({ db: market.db, feed, clock })
    const queue = createReplayQueue()
    const replayQueue: WorkQueue = (ip, work) => queue(ip, work).finally(() => reads++)
    const queues = { replayQueue, replayPageQueue: createReplayPageQueue(), wakeQueue: new WakeQueue() }
    const pastEvents = new PastEvents({ db: market.db, feed })
    return { db: market.db, feed, stream, pastEvents, clock, journalPages, ...queues } as App
  }

  const reader = (signal?: AbortSignal): LiveReader => ({ app: app(), ip: '', signal, spendEvents: async () => {} })
  const tokenStream = (input: TokenEventsInput, signal?: AbortSignal) => oneByOne(tokenEvents(reader(signal), input))
  const marketStream = (at: ResumeAt, signal?: AbortSignal) => oneByOne(marketEvents(reader(signal), at))

  async function* oneByOne(groups: AsyncGenerator<readonly MarketEvent[]>): AsyncGenerator<MarketEvent> {
    for await (const events of groups) {
      // A group without an event would be a message without one.
      expect(events).not.toEqual([])
      yield* events
    }
  }

  async function take(events: AsyncGenerator<MarketEvent>, count: number): Promise<number[]> {
    const seqs: number[] = []
    while (seqs.length < count) {
      const { value } = await events.next()
      if (value === undefined) break
      seqs.push(value.seq)
    }
    return seqs
  }

  it('resume after the last one received: from the journal, then live, none twice', async () => {
    for (let i = 0; i < 5; i++) feed.publish([await tradedEvent()])
    const controller = new AbortController()
    const events = tokenStream({ tokenId, lastSeq: 2 }, controller.signal)
    expect(await take(events, 3)).toEqual([3, 4, 5])
    const next = take(events, 2)
    feed.publish([await tradedEvent()])
    feed.publish([await tradedEvent()])
    expect(await next).toEqual([6, 7])
    controller.abort()
    expect(await events.next()).toMatchObject({ done: true })
  })

  it('begin now for a subscriber without a last event id', async () => {
    feed.publish([await tradedEvent()])
    const controller = new AbortController()
    const next = take(tokenStream({ tokenId, lastSeq: null }, controller.signal), 1)
    await expect.poll(() => reads).toBe(1)
    feed.publish([await tradedEvent()])
    expect(await next).toEqual([2])
    controller.abort()
  })

  it('are read from the journal, in order, after a slow subscriber’s buffer overflowed', async () => {
    const controller = new AbortController()
    const events = tokenStream({ tokenId, lastSeq: 0 }, controller.signal)
    const first = take(events, 1)
    feed.publish([await tradedEvent()])
    expect(await first).toEqual([1])
    // The reader pauses while the feed delivers far more events than its buffer holds.
    await insertTrades(2, 1_200)
    feed.catchUp(tokenId, 1_200)
    await vi.waitFor(() => expect(told).toBe(1_200), WAIT_MAX_MS)
    expect(await take(events, 1_199)).toEqual(Array.from({ length: 1_199 }, (_, i) => i + 2))
    controller.abort()
  })

  /** Trades as the journal has them; what they cost does not matter here. */
  async function insertTrades(from: number, to: number): Promise<void> {
    await sql`insert into trades (token_id, seq, user_id, side, sol_amount, fee, token_amount, price, sol_reserve,
      token_reserve, spot_price, created_at, hash) select ${tokenId}, n, ${player}, 'buy', 1, 0, 1, 1, 30, 1, 1, now(), sha256('')
      from generate_series(${from}::int, ${to}::int) n`.execute(market.db)
    await sql`update pools set seq = ${to} where token_id = ${tokenId}`.execute(market.db)
  }

  it('reach a subscriber whose last event id is beyond the end, as after a restore', async () => {
    const controller = new AbortController()
    const next = take(tokenStream({ tokenId, lastSeq: 57 }, controller.signal), 1)
    // The head has been read.
    await expect.poll(() => reads).toBe(1)
    feed.publish([await tradedEvent()])
    expect(await next).toEqual([1])
    controller.abort()
  })

  it('are refused for an unknown token', async () => {
    await expect(tokenStream({ tokenId: 99_999, lastSeq: null }, undefined).next()).rejects.toMatchObject({
      code: 'TOKEN_NOT_FOUND',
    })
  })

  it('of the whole market resume shortly before the disconnection', async () => {
    const before = new Date()
    await tradedEvent()
    const controller = new AbortController()
    const events = marketStream(before, controller.signal)
    const seen = [await events.next(), await events.next()].map(({ value }) => value?.type)
    expect(seen).toEqual(['token_launched', 'trade'])
    const later = await tradedEvent()
    feed.publish([later])
    // What was delivered meanwhile may come again.
    for await (const { seq } of events) if (seq === later.seq) break
    controller.abort()
  })

  it('of the whole market resume completely, whatever happened meanwhile', async () => {
    feed.publish([await tradedEvent()])
    await vi.waitFor(() => expect(stream.cursor).not.toBe(''), WAIT_MAX_MS)
    const cursor = stream.cursors.parse(stream.cursor)
    await insertTrades(2, 50_000)
    const controller = new AbortController()
    const seqs = new Set<number>()
    for await (const { seq } of marketStream(cursor ?? new Date(), controller.signal)) {
      seqs.add(seq)
      if (seq === 50_000) break
    }
    controller.abort()
    const expected = Array.from({ length: 49_999 }, (_, i) => i + 2)
    expect(expected.filter((seq) => !seqs.has(seq))).toEqual([])
  })

  it('of the whole market are refused where some are no longer kept', async () => {
    await tradedEvent()
    await sql`update trades set created_at = now() - interval '27 hours'`.execute(market.db)
    const days = new Date(Date.now() - 3 * 86_400_000)
    await expect(marketStream(days).next()).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const other = new EventCursors(Buffer.from('another database'))
    const foreign = stream.cursors.parse(other.format({ entry: 1, tokenId: 1 })) ?? days
    await expect(marketStream(foreign).next()).rejects.toThrow('there is a gap')
  })

  it('end when an operator hides their token, before any later event', async () => {
    const controller = new AbortController()
    const events = tokenStream({ tokenId, lastSeq: 0 }, controller.signal)
    const next = events.next()
    feed.publish([await tradedEvent()])
    expect((await next).value).toMatchObject({ seq: 1 })
    await hide(market, String(tokenId))
    await vi.waitFor(() => expect(feed.isHidden(tokenId)).toBe(true), { timeout: WAIT_MAX_MS })
    const { amount } = await market.db.selectFrom('holdings').select('amount').executeTakeFirstOrThrow()
    // The poll may tell of the sale before it is published here.
    const ended = expect(events.next()).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    await market.sell(player, tokenId, amount)
    feed.publish(market.events.slice(-1))
    await ended
  })

  it('of the whole market omit hidden tokens, live and from the journal, until they are unhidden', async () => {
    const other = await market.launch(player)
    const hidden = await tradedEvent()
    await hide(market, String(tokenId))
    await vi.waitFor(() => expect(feed.isHidden(tokenId)).toBe(true), { timeout: WAIT_MAX_MS })
    const controller = new AbortController()
    const events = marketStream(new Date(Date.now() - 60_000), controller.signal)
    expect((await events.next()).value).toMatchObject({ type: 'token_launched', tokenId: other })
    const next = nextTrade(events)
    feed.publish([hidden])
    await market.buy(player, other, '0.1')
    const shown = market.events.at(-1)
    if (shown !== undefined) feed.publish([shown])
    expect(await next).toMatchObject({ type: 'trade', tokenId: other })
    await unhide(market, String(tokenId))
    await vi.waitFor(() => expect(feed.isHidden(tokenId)).toBe(false), { timeout: WAIT_MAX_MS })
    const again = nextTrade(events)
    feed.publish([await tradedEvent()])
    expect(await again).toMatchObject({ type: 'trade', tokenId })
    controller.abort()
  })

  /** Skips a launch, which may be delivered twice. */
  async function nextTrade(events: AsyncIterator<MarketEvent>): Promise<MarketEvent> {
    const { value } = await events.next()
    return value?.type === 'trade' ? value : nextTrade(events)
  }

  let told = 0
  beforeEach(() => {
    told = 0
    feed.onTokenEvent(tokenId, (event) => {
      told = event.seq
    })
  })
})
