import type { TokenId, UserId } from '@papermoon/engine'
import { createTestMarket } from '@papermoon/engine/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readHeads } from '../../src/events/journal.ts'
import type { LiveFeed } from '../../src/events/live-feed.ts'
import { startLiveFeed } from '../../src/events/start-live-feed.ts'
import type { EventStream } from '../../src/events/stream/event-stream.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const market = await createTestMarket()
afterAll(() => market.close())
let player: UserId
let busy: TokenId
let slow: TokenId
let feed: LiveFeed
let stream: EventStream
let stopFeed: () => Promise<void>
let delivered: string[]
beforeEach(async () => {
  player = await market.addPlayer()
  busy = await market.launch(player)
  slow = await market.launch(player)
  const started = await startLiveFeed({ db: market.db, log: pino({ level: 'silent' }) })
  feed = started.feed
  stream = started.stream
  stopFeed = started.stop
  delivered = []
  feed.onEvent(({ tokenId, seq }) => delivered.push(`${tokenId} ${seq}`))
})
afterEach(() => stopFeed())

/** Nobody publishes what the market trades: only polls tell of it. */
async function tradeAndBeTold(seq: number): Promise<void> {
  await market.buy(player, busy, '0.1')
  await vi.waitFor(() => expect(delivered).toContain(`${busy} ${seq}`), WAIT_MAX_MS)
}

it('finds a trade whose read failed in several polls', async () => {
  const catchUp = feed.catchUp.bind(feed)
  let isFailing = true
  vi.spyOn(feed, 'catchUp').mockImplementation(async (tokenId, seq) => {
    if (tokenId !== slow || !isFailing) await catchUp(tokenId, seq)
  })
  await market.buy(player, slow, '0.1')
  const { entry } = await readHeads(market.db)
  for (const seq of [1, 2, 3, 4]) await tradeAndBeTold(seq)
  expect(delivered).not.toContain(`${slow} 1`)
  // Who resumes there would miss it.
  expect(stream.position?.entry ?? 0).toBeLessThan(entry)
  isFailing = false
  await vi.waitFor(() => expect(delivered).toContain(`${slow} 1`), WAIT_MAX_MS)
})
