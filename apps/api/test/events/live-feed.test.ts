import type { MarketEvent, TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readTokenEvents } from '../../src/events/journal.ts'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const warnings: unknown[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) })

/** A database at whose first question something else happens, too. */
function atFirstRead(db: TestMarket['db'], act: () => void): TestMarket['db'] {
  let isFirst = true
  return new Proxy(db, {
    get: (target, name) => {
      if (isFirst) {
        isFirst = false
        act()
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const market = await createTestMarket()
afterAll(() => market.close())
let player: UserId
let tokenId: TokenId
let feed: LiveFeed
let stopFeed: () => Promise<void>
beforeEach(async () => {
  player = await market.addPlayer()
  tokenId = await market.launch(player)
  const started = await startLiveFeed({ db: market.db, log })
  feed = started.feed
  stopFeed = started.stop
})
afterEach(() => stopFeed())

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
    const unpolled = new LiveFeed({ db: market.db, log, seqs: [] })
    unpolled.onEvent((event) => {
      if (event.tokenId === other) heard.push(`${event.type} ${event.seq}`)
    })
    unpolled.publish(market.events.slice(-1))
    await expect.poll(() => heard).toEqual(['token_launched 0', 'trade 1'])
    unpolled.publish(market.events.slice(-2))
    expect(heard).toHaveLength(2)
  })

  it('stays behind while a gap cannot be read, and catches up when it can', async () => {
    const db = atFirstRead(market.db, () => {
      throw new Error('connection refused')
    })
    const away = new LiveFeed({ db, log, seqs: [{ tokenId, seq: 0 }] })
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

  it('reads no rug pull without the trades before it, whenever they commit', async () => {
    await market.buy(player, tokenId, '1')
    let isFirst = true
    const db = market.db.withPlugin({
      transformQuery: ({ node }) => node,
      // Both commit between the statements of the read.
      transformResult: async ({ result }) => {
        if (!isFirst) return result
        isFirst = false
        await market.buy(player, tokenId, '1')
        await market.engine.submit({ kind: 'rug', userId: player, tokenId })
        return result
      },
    })
    const seqs = (await readTokenEvents(db, { tokenId, after: 0 })).map(({ seq }) => seq)
    expect(isFirst).toBe(false)
    expect(seqs).toEqual([1, 2, 3].slice(0, seqs.length))
    expect(seqs.length).toBeGreaterThan(0)
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

  it('delivers nothing twice that is published while the journal is being read', async () => {
    const events = [await tradedEvent(), await tradedEvent()]
    const db = atFirstRead(market.db, () => queueMicrotask(() => own.publish(events)))
    const own: LiveFeed = new LiveFeed({ db, log, seqs: [{ tokenId, seq: 0 }] })
    const seqs: number[] = []
    own.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
    await own.catchUp(tokenId, 2)
    expect(seqs).toEqual([1, 2])
  })

  it('finds unpublished trades and launches of another node by polling', async () => {
    const types: string[] = []
    feed.onEvent((event) => types.push(`${event.type} ${event.tokenId} ${event.seq}`))
    await tradedEvent()
    const other = await market.launch(player, '1')
    const all = [`token_launched ${other} 0`, `trade ${tokenId} 1`, `trade ${other} 1`].sort()
    await vi.waitFor(() => expect(types.toSorted()).toEqual(all), { timeout: WAIT_MAX_MS })
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
