import { createTestMarket } from '@papermoon/engine/testing'
import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { wakeWebhooks } from '../../src/features/notices/follow/follow-market.ts'
import { readBatch } from '../../src/features/notices/webhooks/delivery/batch.ts'
import type { WebhookEvent } from '../../src/features/notices/webhooks/delivery/events.ts'
import { EVENTS_MAX, makeBatch } from '../../src/features/notices/webhooks/delivery/queue.ts'
import { toDiscordMessage } from '../../src/features/notices/webhooks/delivery/to-call.ts'
import { lockPosition } from '../../src/notices/notice-position.ts'

it('a batch holds no more events than documented where own trades are two events each, and none is lost', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const { db } = market
  const userId = await market.addPlayer()
  const tokenId = await market.launch(userId, '1')
  for (let count = 1; count < 40; count++) await market.buy(userId, tokenId, '0.001')
  await sql`
    insert into webhooks (user_id, url_hash, url_sealed, host, format, events, secret_sealed, created_at, verified_at, is_ready)
    values (${userId}, '', '', 'a.example', 'discord', array['trade', 'fill'], '', now(), now(), true)`.execute(db)
  await sql`update notice_position set trade_id = (select max(id) from trades)`.execute(db)
  const counts: number[] = []
  const ids: string[] = []
  for (
    let made = await makeBatch({ platform: { db }, market: {} });
    made !== null && made !== 'nothing';
    made = await makeBatch({ platform: { db }, market: {} })
  ) {
    counts.push(made.events?.length ?? 0)
    ids.push(...(made.events ?? []).map(({ id }) => id))
    await db.deleteFrom('outbox').execute()
    await sql`update webhooks set busy_until = now()`.execute(db)
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(EVENTS_MAX.discord)
  expect([ids.length, new Set(ids).size]).toEqual([80, 80])
})

it('a batch that is sent again has the same events, without those that were too old', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const { db } = market
  const userId = await market.addPlayer()
  const tokenId = await market.launch(userId, '1')
  for (let count = 1; count < 60; count++) await market.buy(userId, tokenId, '0.001')
  await sql`update trades set created_at = created_at - interval '2 days'`.execute(db)
  for (let count = 0; count < 5; count++) await market.buy(userId, tokenId, '0.001')
  await sql`
    insert into webhooks (user_id, url_hash, url_sealed, host, format, events, secret_sealed, created_at, verified_at, is_ready)
    values (${userId}, '', '', 'a.example', 'discord', array['trade'], '', now(), now(), true)`.execute(db)
  await sql`update notice_position set trade_id = (select max(id) from trades)`.execute(db)
  const made = await makeBatch({ platform: { db }, market: {} })
  if (made === null || made === 'nothing' || made.detail.kind !== 'events') throw new Error('no batch was made')
  expect(made.events).toHaveLength(5)
  const { bounds, since = '' } = made.detail
  const wanted = { userId, events: made.hook.events, tokenIds: null, fairs: null }
  const again = await readBatch(db, wanted, { bounds, since: new Date(since) }, EVENTS_MAX.discord)
  expect(again).toEqual(made.events)
})

it('another try has a launch before its first buy, as the first had', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const { db } = market
  const userId = await market.addPlayer()
  await market.launch(userId, '1')
  await sql`
    insert into webhooks (user_id, url_hash, url_sealed, host, format, events, secret_sealed, created_at, verified_at, is_ready)
    values (${userId}, '', '', 'a.example', 'standard', array['launch', 'trade'], '', now(), now(), true)`.execute(db)
  await sql`
    update notice_position set trade_id = (select max(id) from trades), token_id = (select max(id) from tokens)`.execute(
    db,
  )
  const made = await makeBatch({ platform: { db }, market: {} })
  if (made === null || made === 'nothing' || made.detail.kind !== 'events') throw new Error('no batch was made')
  expect(made.events?.map(({ type }) => type)).toEqual(['launch', 'trade'])
  const { detail } = await db.selectFrom('outbox').select('detail').executeTakeFirstOrThrow()
  const { bounds, since } = detail as typeof made.detail
  const wanted = { userId, events: made.hook.events, tokenIds: null, fairs: null }
  const again = await readBatch(db, wanted, { bounds, since: new Date(since ?? 0) }, EVENTS_MAX.standard)
  expect(again).toEqual(made.events)
})

it('a message for Discord has a line of each event, or says how many do not fit', () => {
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
  expect(renderLines(40).slice(-2)).toEqual([full[1], '16 more events do not fit here.'])
})

it('a webhook is marked again when trades settle while a batch of it is made', async () => {
  const market = await createTestMarket()
  onTestFinished(() => market.close())
  const { db } = market
  const userId = await market.addPlayer()
  const tokenId = await market.launch(userId, '1')
  await sql`
    insert into webhooks (user_id, url_hash, url_sealed, host, format, events, secret_sealed, created_at, verified_at, is_ready)
    values (${userId}, '', '', 'a.example', 'standard', array['trade'], '', now(), now(), true)`.execute(db)
  await sql`update notice_position set trade_id = (select max(id) from trades)`.execute(db)
  expect(await makeBatch({ platform: { db }, market: {} })).toMatchObject({ detail: { count: 1 } })
  await db.deleteFrom('outbox').execute()
  await sql`update webhooks set is_ready = true, busy_until = now()`.execute(db)

  await market.buy(userId, tokenId, '1')
  const step = await db.startTransaction().execute()
  const { trade_id: after } = await lockPosition(step)
  const { rows } = await sql<{ id: number }>`select max(id) as id from trades`.execute(step)
  const through = rows[0]?.id ?? 0
  await wakeWebhooks(step, { trades: { after, through }, hasLaunches: false, hasRugs: false })
  await step.updateTable('notice_position').set({ trade_id: through }).execute()
  let isMade = false
  const making = makeBatch({ platform: { db }, market: {} }).finally(() => {
    isMade = true
  })
  await vi.waitFor(async () => expect(isMade || (await isAnyWaiting())).toBe(true), { timeout: 60_000 })
  await step.commit().execute()

  expect(await making).toBe('nothing')
  expect(await makeBatch({ platform: { db }, market: {} })).toMatchObject({ detail: { count: 1 } })

  async function isAnyWaiting(): Promise<boolean> {
    const { rows: waiting } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return waiting.length > 0
  }
})
