import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { webhookData } from '../../../src/features/notices/webhooks/delivery/events.ts'
import { toDiscordMessage } from '../../../src/features/notices/webhooks/delivery/to-call.ts'
import { openEventSource } from '../../support/event-source.ts'
import { changeFair, makeRoom } from '../../support/fairs.ts'
import { createRestlessFollower } from '../../support/restless-follower.ts'
import type { TestServer, Visitor } from '../../support/test-server.ts'
import { openWaitingMarket } from '../../support/waiting-market.ts'
import { forgetWebhooks, startWebhookReceiver, startWebhookServer } from '../../support/webhook-receiver.ts'

const WAIT = { timeout: 120_000, interval: 30 }

let hooks = 0
const receiver = await startWebhookReceiver()
afterAll(() => receiver.close())
const server = await startWebhookServer()
afterAll(() => server.close())
const follower = createRestlessFollower(server.app)
afterEach(() => forgetWebhooks(server, receiver))

/** A webhook that has answered its challenge. Returns its path. */
async function verified(player: Visitor, input: object = {}): Promise<string> {
  const path = `/order-hook-${++hooks}`
  const answer = await player.post('/api/webhooks', { url: `${receiver.origin}${path}`, events: ['order'], ...input })
  expect(answer.statusCode, answer.body).toBe(201)
  const isVerified = (it: { id: number; status: string }) => it.id === answer.json().id && it.status === 'active'
  await vi.waitUntil(async () => (await player.get('/api/webhooks')).json().some(isVerified), WAIT)
  return path
}

interface SentEvent {
  readonly id: string
  readonly type: 'order'
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: it is parsed below.
  readonly data: any
}

const eventsAt = (path: string): SentEvent[] =>
  receiver.calls
    .filter((call) => call.path === path)
    .map(({ text }) => JSON.parse(text))
    .flatMap(({ type, data }) => (type === 'events' ? data.events : []))
const statesAt = (path: string) =>
  eventsAt(path).map(({ data: { order } }) => `${order.id} ${order.cause ?? order.state}`)
const arrive = (path: string, states: readonly string[]) =>
  vi.waitFor(async () => {
    await follower.look()
    expect(statesAt(path)).toEqual(states)
  }, WAIT)

describe('a webhook that names orders', () => {
  it('gets what becomes of its player’s orders, each change once and as the stream says it', async () => {
    const { maker, taker, at, place, sell } = await openWaitingMarket(server)
    const others = await verified(taker)
    const unnamed = await verified(maker, { events: ['fill'] })
    const path = await verified(maker)
    const { key } = (await maker.post('/api/keys', { name: 'stream', scopes: ['market'] })).json()
    const origin = `http://127.0.0.1:${await server.listen()}`
    const stream = await openEventSource(`${origin}/api/events?types=order`, { authorization: `Bearer ${key}` })
    const near = await place({ kind: 'buy', solAmount: '2', price: at(0.9) })
    await arrive(path, [`${near.id} waiting`])
    const far = await place({ kind: 'buy', solAmount: '2', price: at(0.1) })
    await arrive(path, [`${near.id} waiting`, `${far.id} waiting`])
    await maker.post('/api/waiting-orders/cancel', { ids: [far.id] })
    await arrive(path, [`${near.id} waiting`, `${far.id} waiting`, `${far.id} PLAYER`])
    await sell('200000000')
    const all = [`${near.id} waiting`, `${far.id} waiting`, `${far.id} PLAYER`, `${near.id} filled`]
    await arrive(path, all)
    const events = eventsAt(path)
    for (const { data } of events) expect(webhookData.order.strict().parse(data)).toEqual(data)
    expect(new Set(events.map(({ id }) => id)).size).toBe(all.length)
    await stream.until(() => stream.events.filter(({ type }) => type === 'order').length === all.length)
    expect(events.map(({ data }) => data)).toEqual(
      stream.events.filter(({ type }) => type === 'order').map(({ data }) => data),
    )
    stream.close()
    expect(eventsAt(others)).toEqual([])
    await vi.waitUntil(() => eventsAt(unnamed).length > 0, WAIT)
    expect(eventsAt(unnamed).map(({ type }) => type)).toEqual(['fill'])
  })

  it('gets an order that was filled in part long after it was placed, and one that has expired', async () => {
    const { maker, at, place, sell } = await openWaitingMarket(server)
    const path = await verified(maker)
    const { id } = await place({ kind: 'buy', solAmount: '40', price: at(0.9) })
    const short = await place({ kind: 'buy', solAmount: '1', price: at(0.1) })
    await arrive(path, [`${id} waiting`, `${short.id} waiting`])
    await sql`update waiting_orders set placed_at = placed_at - interval '3 days' where id = ${id}`.execute(server.db)
    await sell('60000000')
    await arrive(path, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`])
    expect(eventsAt(path).at(-1)?.data.order.fills).toBe(1)
    await sql`update waiting_orders set expires_at = clock_timestamp() where id = ${short.id}`.execute(server.db)
    await arrive(path, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`, `${short.id} EXPIRED`])
  })

  it('gets those of a room that it names while its player is in it, and then not the market’s', async () => {
    const [host, member] = [await server.player(), await server.player()]
    const room = await makeRoom(host, [member])
    await changeFair(host, room.id, { act: 'start' })
    const token = { name: 'Room', symbol: 'ROOM', emoji: '🌙', fairId: room.id }
    const { id: tokenId } = (await host.post('/api/tokens/launch', token)).json()
    const path = await verified(member, { fairs: [room.id] })
    const hosts = await verified(host, { fairs: [room.id] })
    const { place } = await openWaitingMarket(server)
    const order = { kind: 'buy', solAmount: '1', price: '0.00000001' }
    await place(order, member)
    const { id } = await place({ ...order, tokenId }, member)
    await arrive(path, [`${id} waiting`])
    expect(eventsAt(path)[0]?.data).toMatchObject({ fairId: room.id, tokenId, symbol: 'ROOM' })
    const own = await place({ ...order, tokenId }, host)
    await arrive(hosts, [`${own.id} waiting`])
  })

  it('goes on after a restart: what changed meanwhile comes once, what was taken does not come again', async () => {
    const database = await createTestDatabase()
    const first = await startWebhookServer({ database: { ...database, drop: async () => {} } })
    let second: TestServer | undefined
    try {
      const { maker, at, place } = await openWaitingMarket(first)
      const path = await verified(maker)
      const taken = await place({ kind: 'buy', solAmount: '1', price: at(0.9) })
      await vi.waitFor(() => expect(statesAt(path)).toEqual([`${taken.id} waiting`]), WAIT)
      receiver.answer = () => [500]
      const refused = await place({ kind: 'buy', solAmount: '1', price: at(0.8) })
      await vi.waitFor(() => expect(statesAt(path)).toContain(`${refused.id} waiting`), WAIT)
      // Behind the message that is not taken, and not yet followed when the node ends.
      const unseen = await place({ kind: 'buy', solAmount: '1', price: at(0.7) })
      await first.close()
      const before = eventsAt(path).length
      receiver.answer = () => [204]
      second = await startWebhookServer({ database })
      await sql`update outbox set due_at = now()`.execute(database.db)
      await vi.waitFor(() => expect(statesAt(path)).toContain(`${unseen.id} waiting`), WAIT)
      expect(statesAt(path).slice(before)).toEqual([`${refused.id} waiting`, `${unseen.id} waiting`])
    } finally {
      await (second ?? first).close()
      if (second === undefined) await database.drop()
    }
  })
})

it('Discord shows an order as one line', async () => {
  const { maker, at, place } = await openWaitingMarket(server)
  const path = await verified(maker)
  const { id } = await place({ kind: 'buy', solAmount: '1', price: at(0.9) })
  await arrive(path, [`${id} waiting`])
  const [event] = eventsAt(path)
  if (event === undefined) throw new Error('no event')
  const toLine = (change: object) => {
    const data = { ...event.data, symbol: 'MOON', emoji: '🌙', order: { ...event.data.order, ...change } }
    return toDiscordMessage([{ ...event, data }], 0).embeds[0]?.description
  }
  expect([toLine({}), toLine({ fills: 1 })]).toEqual([
    ...['🌙 MOON: Your buy order waits', '🌙 MOON: Your buy order was filled in part'],
  ])
  expect(toLine({ kind: 'stop', state: 'cancelled' })).toBe('🌙 MOON: Your stop order was cancelled')
})
