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

it('finds a trade that got its id early and was committed several polls later', async () => {
  const writer = await market.pool.connect()
  await writer.query('set idle_in_transaction_session_timeout = 0')
  await writer.query('begin')
  await writer.query('select 1 from pools where token_id = $1 for no key update', [slow])
  const { rows } = await writer.query<{ id: number }>(`select nextval('trades_id_seq') as id`)
  for (const seq of [1, 2]) await tradeAndBeTold(seq)
  await writer.query(
    `insert into trades
     select (jsonb_populate_record(t, jsonb_build_object('id', $1::bigint, 'token_id', $2::int, 'request_key', null))).*
       from trades t where t.token_id = $3 and t.seq = 1`,
    [rows[0]?.id, slow, busy],
  )
  await writer.query('update pools set seq = 1 where token_id = $1', [slow])
  await writer.query('commit')
  writer.release(true)
  await vi.waitFor(() => expect(delivered).toContain(`${slow} 1`), WAIT_MAX_MS)
})

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

it('settles a place only once nothing can be written below it', async () => {
  const writer = await market.pool.connect()
  try {
    await writer.query('set idle_in_transaction_session_timeout = 0')
    await writer.query('begin')
    await writer.query(`select pg_current_xact_id(), nextval('trades_id_seq')`)
    const before = await readHeads(market.db)
    const launched = await market.launch(player)
    // Each is told by a later look at the journal.
    for (const seq of [1, 2, 3]) await tradeAndBeTold(seq)
    expect(stream.position?.entry ?? 0).toBeLessThanOrEqual(before.entry)
    expect(stream.position?.tokenId ?? 0).toBeLessThan(launched)
    await writer.query('rollback')
    await vi.waitFor(() => expect(stream.position?.tokenId).toBeGreaterThanOrEqual(launched), WAIT_MAX_MS)
  } finally {
    writer.release(true)
  }
})
