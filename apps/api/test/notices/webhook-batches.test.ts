import { FAIR_EVENT, TOKEN_NAMES } from '@papermoon/contract/example-market'
import { EXAMPLE_POST } from '@papermoon/contract/talk'
import { EXAMPLE_WAITING } from '@papermoon/contract/waiting-orders'
import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { lockPosition } from '../../src/features/notices/follow/follow.ts'
import { wakeWebhooks } from '../../src/features/notices/follow/follow-market.ts'
import { readBatch } from '../../src/features/notices/webhooks/delivery/batch.ts'
import { EVENTS_MAX, makeBatch } from '../../src/features/notices/webhooks/delivery/queue.ts'
import type { WebhookEvent } from '../../src/features/notices/webhooks/delivery/read-events.ts'
import { toDiscordMessage } from '../../src/features/notices/webhooks/delivery/to-call.ts'

const market = await createTestMarket()
afterAll(() => market.close())
const { db } = market
const parts = { platform: { db }, market: {} }
beforeEach(async () => {
  await db.deleteFrom('webhooks').execute()
  await db.deleteFrom('outbox').execute()
})

/** Adds a player with a token, and a webhook that has received everything so far. */
async function addHook(format: 'standard' | 'discord', events: readonly string[]) {
  const userId = await market.addPlayer()
  await sql`
    insert into webhooks (user_id, url_hash, url_sealed, host, format, events, secret_sealed, created_at, verified_at,
      is_ready, trade_id)
    select ${userId}, '', '', 'a.example', ${format}, ${events}, '', now(), now(), true,
      (select position from journal)`.execute(db)
  return { userId, tokenId: await market.launch(userId, '1') }
}

/** Returns the next batch of the only webhook, after marking all trades as settled. */
async function makeNext() {
  await sql`update notice_position set trade_id = (select position from journal)`.execute(db)
  await sql`update webhooks set busy_until = now()`.execute(db)
  const made = await makeBatch(parts)
  if (made === null || made === 'nothing' || made.detail.kind !== 'events') return null
  const { detail } = await db.selectFrom('outbox').select('detail').executeTakeFirstOrThrow()
  await db.deleteFrom('outbox').execute()
  const { bounds, since } = detail as typeof made.detail
  const wanted = { userId: made.hook.user_id, events: made.hook.events, tokenIds: null, fairs: null }
  const readAgain = () => readBatch(db, wanted, { bounds, since: new Date(since ?? 0) }, EVENTS_MAX[made.hook.format])
  return { events: made.events ?? [], readAgain }
}

it('a batch has at most the documented number of events if own trades are two events each, and none is lost', async () => {
  const { userId, tokenId } = await addHook('discord', ['trade', 'fill'])
  for (let count = 1; count < 40; count++) await market.buy(userId, tokenId, '0.001')
  const ids: string[] = []
  for (let made = await makeNext(); made !== null; made = await makeNext()) {
    expect(made.events.length).toBeLessThanOrEqual(EVENTS_MAX.discord)
    ids.push(...made.events.map(({ id }) => id))
  }
  expect([ids.length, new Set(ids).size]).toEqual([80, 80])
})

it('a batch that is sent again has the same events, without those that were too old', async () => {
  const { userId, tokenId } = await addHook('discord', ['trade'])
  for (let count = 1; count < 60; count++) await market.buy(userId, tokenId, '0.001')
  await sql`update trades set created_at = created_at - interval '2 days'`.execute(db)
  for (let count = 0; count < 5; count++) await market.buy(userId, tokenId, '0.001')
  const made = await makeNext()
  expect(made?.events).toHaveLength(5)
  expect(await made?.readAgain()).toEqual(made?.events)
})

it('another try contains a launch before its first buy, like the first try', async () => {
  await addHook('standard', ['launch', 'trade'])
  const made = await makeNext()
  expect(made?.events.map(({ type }) => type)).toEqual(['launch', 'trade'])
  expect(await made?.readAgain()).toEqual(made?.events)
})

it('a message for Discord has a line for each event, or says how many do not fit', () => {
  const data = { emoji: '🌕', symbol: 'M'.repeat(200), username: 'x', amount: '1' }
  const longest = { id: 'rug-1', type: 'rug', timestamp: '2026-01-05T12:00:00.000Z', data } as unknown as WebhookEvent
  const renderLines = (count: number) => {
    const [embed] = toDiscordMessage(Array(count).fill(longest), Number.MAX_SAFE_INTEGER).embeds
    expect(embed?.description.length).toBeLessThanOrEqual(4_096)
    return embed?.description.split('\n') ?? []
  }
  const full = renderLines(EVENTS_MAX.discord)
  expect(full.slice(1)).toEqual(Array(EVENTS_MAX.discord).fill(full[1]))
  expect(full[1]).toHaveLength(150)
  expect(renderLines(40).slice(-2)).toEqual([full[1], '16 more events did not fit into this message.'])
})

it('a line for Discord mentions nobody and formats nothing', () => {
  const toLine = (type: 'post' | 'order' | 'fair', data: object) => {
    const event = { id: '1', type, timestamp: 'now', data: { ...TOKEN_NAMES, ...data } } as unknown as WebhookEvent
    return toDiscordMessage([event], 0).embeds[0]?.description
  }
  const said = { ...EXAMPLE_POST, writer: { username: 'lu_na' }, text: '**hey**\n@everyone' }
  expect(toLine('post', { kind: 'shown', post: said })).toBe('🌙 MOON: lu\\_na said: \\*\\*hey\\*\\* \\@everyone')
  expect(toLine('post', { kind: 'changed', post: { ...said, editedAt: '2026-01-01T00:00:00.000Z' } })).toBe(
    '🌙 MOON: lu\\_na edited a post: \\*\\*hey\\*\\* \\@everyone',
  )
  expect(toLine('post', { kind: 'changed', post: { ...said, editedAt: null } })).toBe(
    '🌙 MOON: Update to lu\\_na’s post: \\*\\*hey\\*\\* \\@everyone · moon 2',
  )
  const gone = { ...said, state: 'deleted', text: '' }
  expect(toLine('post', { kind: 'changed', post: gone })).toBe('🌙 MOON: A post by lu\\_na was removed')

  const order = (change: object) => toLine('order', { order: { ...EXAMPLE_WAITING, ...change } })
  expect([order({}), order({ fills: 1 }), order({ kind: 'stop', state: 'cancelled' })]).toEqual([
    '🌙 MOON: Order is open (buy)',
    '🌙 MOON: Order partly filled (buy)',
    '🌙 MOON: Order cancelled (stop)',
  ])

  const fair = (change: object) => toLine('fair', { ...FAIR_EVENT, podium: [], ...change, name: '*Friday*' })
  const podium = [{ ...FAIR_EVENT.podium[0], username: 'lu_na', score: '104.209' }]
  expect([
    fair({ moment: 'start' }),
    fair({ moment: 'end' }),
    fair({ moment: 'settled', podium }),
    fair({ moment: 'void', note: 'Somebody cheated.' }),
  ]).toEqual([
    '🎪 \\*Friday\\*: Trading has started.',
    '🎪 \\*Friday\\*: The bell has rung. Trading is over.',
    '🎪 \\*Friday\\*: The results are in. 1. lu\\_na 104.20 SOL',
    '🎪 \\*Friday\\*: This fair is void. Somebody cheated\\.',
  ])
})

it('a webhook is marked again if trades settle while a batch is made', async () => {
  const { userId, tokenId } = await addHook('standard', ['trade'])
  expect((await makeNext())?.events).toHaveLength(1)
  await sql`update webhooks set is_ready = true, busy_until = now()`.execute(db)

  await market.buy(userId, tokenId, '1')
  const step = await db.startTransaction().execute()
  const { trade_id: after } = await lockPosition(step)
  const { rows } = await sql<{ id: number }>`select max(id) as id from trades`.execute(step)
  const through = rows[0]?.id ?? 0
  await wakeWebhooks(step, { after, through }, 'public')
  await step.updateTable('notice_position').set({ trade_id: through }).execute()
  let isMade = false
  const making = makeBatch(parts).finally(() => {
    isMade = true
  })
  await vi.waitFor(async () => expect(isMade || (await isAnyWaiting())).toBe(true), { timeout: 60_000 })
  await step.commit().execute()

  expect(await making).toBe('nothing')
  expect(await makeBatch(parts)).toMatchObject({ detail: { count: 1 } })

  async function isAnyWaiting(): Promise<boolean> {
    const { rows: waiting } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return waiting.length > 0
  }
})
