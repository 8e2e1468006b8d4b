import { needs } from '@papermoon/db/testing'
import type { MarketEvent, PublishedBatch } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readJournal } from '../../src/events/journal-reader.ts'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { type RedisRelay, type Relayed, startRedisRelay } from '../../src/events/redis-relay.ts'
import { hasRedis, type OwnRedis, startRedis } from '../chaos/support/redis.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const log = pino({ level: 'silent' })

describe('two nodes with a Redis between them', needs('redis-server', hasRedis()), () => {
  let redis: OwnRedis
  let relays: RedisRelay[]
  let market: TestMarket

  beforeAll(async () => {
    redis = await startRedis()
    market = await createTestMarket()
  })
  afterAll(async () => {
    await redis.stop()
    await market.close()
  })
  beforeEach(() => {
    relays = []
  })
  afterEach(async () => {
    for (const relay of relays) await relay.close()
  })

  function relay(receive: (published: Relayed) => void): RedisRelay {
    const started = startRedisRelay({ url: redis.url, log })
    started.onReceived('1', receive)
    relays.push(started)
    return started
  }

  const toRelayed = ({ after, through, events }: PublishedBatch): Relayed => ({ market: '1', after, through, events })

  /** Publishes until the other node has received a message, because neither node reports that both are connected. */
  async function untilHeard(sender: RedisRelay, published: Relayed, heard: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        sender.publish(published)
        expect(heard()).toBe(true)
      },
      { timeout: WAIT_MAX_MS, interval: 50 },
    )
  }

  it('receive each other’s trades once each, in the order of commits', async () => {
    const player = await market.addPlayer()
    const tokenId = await market.launch(player)
    const seqs: number[] = []
    const read = (after: number, through: number) => readJournal(market.db, { after, through, limit: 10 })
    const feed = new LiveFeed({ log, position: market.batches.at(-1)?.through ?? 0, read })
    feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
    relay(feed.publish)
    const here = relay(() => {})
    for (let i = 0; i < 3; i++) await market.buy(player, tokenId, '0.1')
    const [first, , third] = market.batches.slice(-3).map(toRelayed) as [Relayed, Relayed, Relayed]
    await untilHeard(here, first, () => seqs.length > 0)
    // The second message is lost, so the node reads the event from the journal.
    here.publish(third)
    await vi.waitFor(() => expect(seqs).toEqual([1, 2, 3]), WAIT_MAX_MS)
  })

  it('reject messages of another shape', async () => {
    const player = await market.addPlayer()
    const tokenId = await market.launch(player)
    await market.buy(player, tokenId, '0.1')
    const batch = toRelayed(market.batches.at(-1) as PublishedBatch)
    const [placed] = batch.events as [{ place: number; event: MarketEvent }]
    const trade = placed.event
    const heard: Relayed[] = []
    relay((published) => heard.push(published))
    const here = relay(() => {})
    await untilHeard(here, batch, () => heard.length > 0)
    const wrong: unknown[] = [
      {},
      null,
      { type: 'trade', tokenId, seq: 2 },
      { ...trade, currentPrice: 'much' },
      { ...trade, tokenId: 7 },
    ]
    heard.length = 0
    for (const event of wrong) here.publish({ ...batch, events: [{ ...placed, event: event as MarketEvent }] })
    here.publish(null as never)
    here.publish(batch)
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(batch), WAIT_MAX_MS)
    expect(new Set(heard.map((published) => JSON.stringify(published)))).toEqual(new Set([JSON.stringify(batch)]))
  })

  it('reconnect after Redis was away, and lose no order meanwhile', async () => {
    const heard: Relayed[] = []
    relay((published) => heard.push(published))
    const here = relay(() => {})
    const batch = toRelayed(market.batches[0] as PublishedBatch)
    await untilHeard(here, batch, () => heard.length > 0)
    await redis.stop('SIGKILL')
    expect(() => here.publish(batch)).not.toThrow()
    heard.length = 0
    redis = await startRedis(redis.port)
    await untilHeard(here, batch, () => heard.length > 0)
  })
})
