import { needs } from '@papermoon/db/testing'
import type { MarketEvent } from '@papermoon/engine'
import { createTestMarket, type TestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveFeed } from '../../src/events/live-feed.ts'
import { type RedisRelay, startRedisRelay } from '../../src/events/redis-relay.ts'
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

  function relay(receive: (events: readonly MarketEvent[]) => void): RedisRelay {
    const started = startRedisRelay({ url: redis.url, log, receive })
    relays.push(started)
    return started
  }

  /** Publishes until the other side has heard: neither side says when both are connected. */
  async function untilHeard(sender: RedisRelay, events: MarketEvent[], heard: () => boolean): Promise<void> {
    await vi.waitFor(
      () => {
        sender.publish(events)
        expect(heard()).toBe(true)
      },
      { timeout: WAIT_MAX_MS, interval: 50 },
    )
  }

  it('hear each other’s trades, each once, in the order of commits', async () => {
    const player = await market.addPlayer()
    const tokenId = await market.launch(player)
    const seqs: number[] = []
    const feed = new LiveFeed({ db: market.db, log, seqs: [{ tokenId, seq: 0 }] })
    feed.onTokenEvent(tokenId, (event) => seqs.push(event.seq))
    relay((events) => feed.publish(events))
    const here = relay(() => {})
    for (let i = 0; i < 3; i++) await market.buy(player, tokenId, '0.1')
    const trades = market.events.filter(({ type }) => type === 'trade')
    await untilHeard(here, trades.slice(0, 1), () => seqs.length > 0)
    // The second is lost on the way: it is read from the journal.
    here.publish(trades.slice(2))
    await vi.waitFor(() => expect(seqs).toEqual([1, 2, 3]), WAIT_MAX_MS)
  })

  it('take nothing of another shape from the channel', async () => {
    const player = await market.addPlayer()
    const tokenId = await market.launch(player)
    await market.buy(player, tokenId, '0.1')
    const trade = market.events.find((event) => event.type === 'trade' && event.tokenId === tokenId) as MarketEvent
    const heard: MarketEvent[] = []
    relay((events) => heard.push(...events))
    const here = relay(() => {})
    await untilHeard(here, [trade], () => heard.length > 0)
    const wrong: unknown[] = [
      {},
      null,
      { type: 'trade', tokenId, seq: 2 },
      { ...trade, currentPrice: 'much' },
      { ...trade, tokenId: 7 },
    ]
    heard.length = 0
    for (const event of wrong) here.publish([event as MarketEvent])
    here.publish([trade])
    await vi.waitFor(() => expect(heard.at(-1)).toEqual(trade), WAIT_MAX_MS)
    expect(new Set(heard.map((event) => JSON.stringify(event)))).toEqual(new Set([JSON.stringify(trade)]))
  })

  it('find each other again after Redis was away, and lose no order meanwhile', async () => {
    const heard: MarketEvent[] = []
    relay((events) => heard.push(...events))
    const here = relay(() => {})
    const event = market.events[0] as MarketEvent
    await untilHeard(here, [event], () => heard.length > 0)
    await redis.stop('SIGKILL')
    expect(() => here.publish([event])).not.toThrow()
    heard.length = 0
    redis = await startRedis(redis.port)
    await untilHeard(here, [event], () => heard.length > 0)
  })
})
