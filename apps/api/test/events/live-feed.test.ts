import type { MarketEvent, PublishedBatch, TokenId, UserId } from '@papermoon/engine'
import { createTestMarket, ManualTimers } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PlacedEvent, readPosition } from '../../src/events/journal.ts'
import { readJournal } from '../../src/events/journal-reader.ts'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import { WrittenHistory } from '../../src/events/written-history.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const log = pino({ level: 'silent' })
const market = await createTestMarket()
afterAll(() => market.close())
let player: UserId
let tokenId: TokenId
let feed: LiveFeed
/** True while reading the journal fails. */
let isAway: boolean
let reads: number
beforeEach(async () => {
  player = await market.addPlayer()
  tokenId = await market.launch(player)
  isAway = false
  reads = 0
  feed = new LiveFeed({
    log,
    position: await readPosition(market.db),
    read: async (after, through) => {
      reads++
      if (isAway) throw new Error('connection refused')
      return await readJournal(market.db, { after, through, limit: 2 })
    },
  })
})

/** Trades, and returns the events that this node would publish for the trade. */
async function trade(): Promise<PublishedBatch> {
  await market.buy(player, tokenId, '0.1')
  return lastBatch()
}

function lastBatch(): PublishedBatch {
  const batch = market.batches.at(-1)
  if (batch === undefined) throw new Error('nothing was published')
  return batch
}

function listen(): number[] {
  const seqs: number[] = []
  feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
  return seqs
}

const insertPost = async () => {
  await sql`insert into posts (topic, user_id, text, skeleton, created_at) values (${tokenId}, ${player}, 'so', 1, now())`.execute(
    market.db,
  )
}

describe('the live feed', () => {
  it('delivers published events at once, and none twice', async () => {
    const seqs = listen()
    const batch = await trade()
    for (let times = 0; times < 2; times++) feed.publish(batch)
    expect([seqs, feed.isBehind, reads]).toEqual([[1], false, 0])
  })

  it('reads missing events in pages before it delivers later ones', async () => {
    const seqs = listen()
    const batches: PublishedBatch[] = []
    for (let count = 0; count < 7; count++) batches.push(await trade())
    feed.publish(batches[5] as PublishedBatch)
    feed.publish(batches[6] as PublishedBatch)
    expect([seqs, feed.isBehind]).toEqual([[], true])
    await feed.catchUp()
    expect([seqs, feed.isBehind]).toEqual([[1, 2, 3, 4, 5, 6, 7], false])
    expect(reads).toBe(3)
  })

  it('delivers events that arrive while the journal is read, in order and once', async () => {
    const seqs = listen()
    const [first, second, third] = [await trade(), await trade(), await trade()]
    feed.publish(third)
    feed.publish(first)
    feed.publish(second)
    expect([seqs, feed.isBehind]).toEqual([[1, 2, 3], false])
    await feed.catchUp()
    feed.publish(await trade())
    expect(seqs).toEqual([1, 2, 3, 4])
  })

  it('delivers a launch before the first trade even if only the trade is published', async () => {
    const heard: string[] = []
    feed.onEvent((event) => heard.push(`${event.type} ${event.seq}`))
    const other = await market.launch(player)
    await market.buy(player, other, '0.1')
    feed.publish(lastBatch())
    await vi.waitFor(() => expect(heard).toEqual(['token_launched 0', 'trade 1']), WAIT_MAX_MS)
  })

  it('delivers posts and orders at their positions, to listeners that want all', async () => {
    const places: PlacedEvent[] = []
    feed.onPlaced((placed) => places.push(placed))
    const cached: MarketEvent[] = []
    feed.onEvent((event) => cached.push(event))
    await trade()
    await insertPost()
    feed.publish(await trade())
    await feed.catchUp()
    expect(places.map(({ event }) => event.type)).toEqual(['trade', 'post', 'trade'])
    expect(places.map(({ place }) => place)).toEqual([1, 2, 3].map((more) => (places[0]?.place ?? 0) + more - 1))
    expect(cached.map(({ type }) => type)).toEqual(['trade', 'trade'])
  })

  it('stays behind while the journal cannot be read, and catches up when it can', async () => {
    const seqs = listen()
    await trade()
    isAway = true
    feed.publish(await trade())
    await feed.catchUp()
    expect([seqs, feed.isBehind]).toEqual([[], true])
    isAway = false
    await feed.catchUp()
    expect([seqs, feed.isBehind]).toEqual([[1, 2], false])
  })

  it('builds the same events from the journal as were published', async () => {
    const told: MarketEvent[] = []
    feed.onTokenEvent(tokenId, (event) => told.push(event))
    const { events } = await trade()
    await feed.catchUp(await readPosition(market.db))
    expect(told).toEqual(events.map(({ event }) => event))
  })

  it('skips positions that have no event any more', async () => {
    await insertPost()
    await sql`update posts set changed_position = -id where topic = ${tokenId}`.execute(market.db)
    await sql`update posts set changed_position = -id where topic = ${tokenId}`.execute(market.db)
    const end = await readPosition(market.db)
    await feed.catchUp(end)
    expect([feed.position, feed.isBehind]).toEqual([end, false])
  })

  it('continues after a listener throws', async () => {
    feed.onEvent(() => {
      throw new Error('broken listener')
    })
    const seqs = listen()
    feed.publish(await trade())
    expect(seqs).toEqual([1])
  })

  it('delivers nothing to a detached listener', async () => {
    const seqs: number[] = []
    feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))()
    feed.publish(await trade())
    expect(seqs).toEqual([])
  })
})

describe('the poll', () => {
  const timers = new ManualTimers()
  let stop: () => Promise<void>
  let polled: LiveFeed
  beforeEach(async () => {
    const started = await startLiveFeed({ db: market.db, log, timers })
    polled = started.feed
    stop = started.stop
  })
  afterEach(() => stop())

  it('finds trades and launches of another node, which were not published here', async () => {
    const types: string[] = []
    polled.onEvent((event) => types.push(`${event.type} ${event.tokenId} ${event.seq}`))
    await trade()
    const other = await market.launch(player, '1')
    timers.pass(1_000)
    const all = [`trade ${tokenId} 1`, `token_launched ${other} 0`, `trade ${other} 1`]
    await vi.waitFor(() => expect(types).toEqual(all), WAIT_MAX_MS)
  })

  it('does not wait for an open transaction of another connection', async () => {
    const types: string[] = []
    polled.onEvent((event) => types.push(event.type))
    const neighbour = await market.pool.connect()
    await neighbour.query('begin')
    await neighbour.query('select pg_current_xact_id()')
    await trade()
    timers.pass(1_000)
    await vi.waitFor(() => expect(types).toEqual(['trade']), WAIT_MAX_MS)
    await neighbour.query('rollback')
    neighbour.release()
  })
})

describe('a history written beside the server', () => {
  it('makes every cached response be read again once, and creates no events', async () => {
    const { pool, db } = market
    await pool.query('delete from demo_world')
    const noteChange = vi.fn<() => void>()
    const history = new WrittenHistory({ db, feed: { noteChange }, world: null, hasDemoWorld: false })
    await history.refresh()
    expect(noteChange).not.toHaveBeenCalled()
    await pool.query(`insert into demo_world (state, seed, began_at, written_at) values ('running', 1, now(), now())`)
    for (let looks = 0; looks < 2; looks++) await history.refresh()
    expect(noteChange).toHaveBeenCalledOnce()
  })

  it('counts as unfinished for some minutes on a server that does not write it', async () => {
    const isBeingWritten = async (agoMinutes: number, hasDemoWorld: boolean) => {
      const { pool, db } = market
      await pool.query('delete from demo_world')
      await pool.query(
        `insert into demo_world (state, seed, began_at) values ('writing', 1, now() - $1 * interval '1 minute')`,
        [agoMinutes],
      )
      const { history, stop } = await startLiveFeed({ db, log, hasDemoWorld })
      await stop()
      return history.isBeingWritten
    }
    expect(await isBeingWritten(1, false)).toBe(true)
    expect(await isBeingWritten(10, false)).toBe(false)
    expect(await isBeingWritten(10, true)).toBe(true)
  })
})
