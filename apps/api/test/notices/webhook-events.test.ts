import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { webhookData } from '../../src/features/notices/webhooks/delivery/read-events.ts'
import { openEventSource } from '../support/event-source.ts'
import { changeFair, makeRoom, openRoom, playFair } from '../support/fairs.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'
import { openWaitingMarket } from '../support/waiting-market.ts'
import { type Made, openWebhooks } from '../support/webhook-receiver.ts'
import { sayNew } from '../support/words.ts'

const TOKEN = { name: 'Room Moon', symbol: 'ROOM', emoji: '🌙' }

const hooks = await openWebhooks(['trade', 'launch', 'rug', 'fair'])
const { receiver, server, start, create, callsTo, eventsAt, idsAt, eventually, verified } = hooks
let host: Visitor
let member: Visitor
// A player can host only three fairs at a time, so each test has its own host.
beforeEach(async () => {
  host = await server.player()
  member = await server.player()
})

const launchIn = async (fairId: number): Promise<number> =>
  (await host.post('/api/tokens/launch', { ...TOKEN, fairId })).json().id
const buy = (player: Visitor, tokenId: number) => player.buy(tokenId, '0.01')
const leave = async (player: Visitor, fairId: number) =>
  expect((await player.post(`/api/fairs/${fairId}/leave`, {})).statusCode).toBe(200)

const arriveIds = (made: Made, ids: readonly string[]) =>
  eventually(() => expect([...idsAt(made)].sort()).toEqual([...ids].sort()))

/** Opens a room and launches a token in it. */
async function openMarket(players: readonly Visitor[], settings: object = {}) {
  const room = await openRoom(host, players, settings)
  const tokenId: number = await launchIn(room.id)
  return { ...room, tokenId }
}

describe('a webhook that names fairs', () => {
  it('gets their changes, launches, trades and rug pulls once each, and nothing of other fairs or the fairground', async () => {
    const room = await makeRoom(host, [member], { rugs: true })
    const other = await openMarket([member])
    const fairground = await member.launch()
    const made = await verified(member, { fairs: [room.id] })
    await changeFair(host, room.id, { act: 'start' })
    const id = await launchIn(room.id)
    await buy(member, id)
    await buy(member, other.tokenId)
    await buy(member, fairground)
    await host.post(`/api/tokens/${id}/rug`, {})
    await playFair(server, host, room.id)
    const moments = ['start', 'end', 'settled'].map((moment) => `fair-${room.id}-${moment}`)
    await arriveIds(made, [...moments, `launch-${id}`, `trade-${id}-1`, `rug-${id}`])
    for (const { type, data } of eventsAt(made)) {
      expect(webhookData[type as keyof typeof webhookData].strict().parse(data)).toEqual(data)
      expect(data.fairId).toBe(room.id)
    }
    expect(eventsAt(made).at(-1)?.data).toMatchObject({ moment: 'settled', podium: expect.any(Array) })
  })

  it('gets the player’s own trades in these fairs, and the usual notices', async () => {
    const room = await openMarket([member])
    const made = await verified(member, { fairs: [room.id], events: ['fill', 'notice.rug'] })
    const fairground = await host.launch()
    await buy(member, fairground)
    await buy(host, room.tokenId)
    await buy(member, room.tokenId)
    await arriveIds(made, [`fill-${room.tokenId}-2`])
    await host.post(`/api/tokens/${fairground}/rug`, {})
    await eventually(() => expect(eventsAt(made).map(({ type }) => type)).toContain('notice.rug'))
    expect(idsAt(made)).toHaveLength(2)
  })

  it('continues when another node takes over: no event is lost, and no delivered event is repeated', {
    tags: 'nightly',
  }, async () => {
    const database = await createTestDatabase()
    const first = await start({ hasJobs: true, database: { ...database, drop: async () => {} } })
    let second: TestServer | undefined
    try {
      const player = await first.player()
      const room = await openRoom(player)
      const made = await verified(player, { fairs: [room.id] })
      const { id } = (await player.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
      await buy(player, id)
      await eventually(() => expect(idsAt(made)).toContain(`trade-${id}-1`))
      receiver.answer = () => [500]
      await buy(player, id)
      await eventually(() => expect(idsAt(made)).toContain(`trade-${id}-2`))
      // This trade waits behind the message that the receiver rejects, and the node stops right after it.
      await buy(player, id)
      await first.close()
      const before = idsAt(made).length
      receiver.answer = () => [204]
      second = await start({ hasJobs: true, database })
      await sql`update outbox set due_at = now()`.execute(database.db)
      await eventually(() => expect(idsAt(made)).toContain(`trade-${id}-3`))
      const { rows } = await sql<{ seq: number }>`select seq from fairs.trades order by id`.execute(database.db)
      expect(rows).toHaveLength(3)
      expect(idsAt(made).slice(before)).toEqual([`trade-${id}-2`, `trade-${id}-3`])
      expect(idsAt(made).filter((one) => one.startsWith('launch'))).toEqual([`launch-${id}`])
    } finally {
      await (second ?? first).close()
      if (second === undefined) await database.drop()
    }
  })
})

describe('a webhook that names a room', () => {
  it.each([
    ['leaves', leave],
    [
      'is removed',
      async (player: Visitor, fairId: number) => {
        const { id } = (await player.get('/api/auth/user')).json()
        expect((await host.raw('DELETE', `/api/fairs/${fairId}/entrants/${id}`, '')).statusCode).toBe(200)
      },
    ],
  ])('sends nothing of it to a player who %s, not even waiting messages', async (_how, go) => {
    const player = await server.player()
    const room = await makeRoom(host, [player, member])
    const cup = (await host.post('/api/fairs', { kind: 'cup', name: 'A cup', minutes: 30 })).json().fair
    const made = await verified(player, { fairs: [room.id, cup.id] })
    receiver.answer = () => [500]
    await changeFair(host, room.id, { act: 'start' })
    await eventually(() => expect(idsAt(made)).toContain(`fair-${room.id}-start`))
    await go(player, room.id)
    receiver.answer = () => [204]
    const before = callsTo(made).length
    await sql`update outbox set due_at = now()`.execute(server.db)
    const id = await launchIn(room.id)
    await buy(member, id)
    await playFair(server, host, room.id)
    // The event of the public cup comes after the withheld events of the room.
    await changeFair(host, cup.id, { act: 'start' })
    await eventually(() => expect(idsAt(made)).toContain(`fair-${cup.id}-start`))
    const later = callsTo(made)
      .slice(before)
      .map(({ text }) => text)
      .join()
    expect(later).not.toContain(TOKEN.name)
    expect(later).not.toContain(`fair-${room.id}`)
  })

  it('sends its events to its host, who has not entered it', async () => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Not mine', minutes: 30 })).json()
    const made = await verified(host, { fairs: [fair.id], events: ['fair'] })
    await changeFair(host, fair.id, { act: 'end' })
    await arriveIds(made, [`fair-${fair.id}-void`])
  })
})

describe('bad choices', () => {
  it('of fairs are each rejected with one sentence', async () => {
    const { id: room } = await makeRoom(host)
    const refusals: [object, number, string][] = [
      [{ fairs: [room] }, 404, 'There is no such fair.'],
      [{ fairs: [1_999_999_999] }, 404, 'There is no such fair.'],
      [{ fairs: [1] }, 400, 'fairs.0 must be the id of a fair.'],
      [{ fairs: [2.5] }, 400, 'fairs.0 must be a whole number.'],
      [{ fairs: [] }, 400, 'fairs must name one to ten fairs, or be left out for the fairground.'],
      [
        { fairs: Array.from({ length: 11 }, (_, i) => i + 2) },
        400,
        'fairs must name one to ten fairs, or be left out for the fairground.',
      ],
      [{ fairs: [2], tokenIds: [1] }, 400, 'Name tokenIds or fairs, not both.'],
      [
        { fairs: [2], events: ['notice.rug'] },
        400,
        'fairs is only for trade, launch, rug, fill, order, fair and post. Name some of them in events.',
      ],
      [{ events: ['fair', 'trade'] }, 400, 'The event fair needs fairs. Name them in fairs.'],
    ]
    for (const [input, status, sentence] of refusals) {
      const answer = await create(member, input)
      expect([input, answer.statusCode, answer.body]).toEqual([input, status, sentence])
    }
    expect((await member.get('/api/webhooks')).json()).toEqual([])
  })
})

describe('a webhook that names orders', () => {
  const verifyOrders = (player: Visitor, more: object = {}) => verified(player, { events: ['order'], ...more })
  const statesAt = (made: Made) =>
    eventsAt(made).map(({ data: { order } }) => `${order.id} ${order.cause ?? order.state}`)
  const arrive = (made: Made, states: readonly string[]) => eventually(() => expect(statesAt(made)).toEqual(states))

  it('gets each change of its player’s orders once, as the event stream tells it', async () => {
    const { maker, taker, at, place, sell } = await openWaitingMarket(server)
    const others = await verifyOrders(taker)
    const unnamed = await verifyOrders(maker, { events: ['fill'] })
    const made = await verifyOrders(maker)
    const { key } = (await maker.post('/api/keys', { name: 'stream', scopes: ['market'] })).json()
    const origin = `http://127.0.0.1:${await server.listen()}`
    const stream = await openEventSource(`${origin}/api/events?types=order`, { authorization: `Bearer ${key}` })
    const near = await place({ kind: 'buy', solAmount: '2', price: at(0.9) })
    await arrive(made, [`${near.id} waiting`])
    const far = await place({ kind: 'buy', solAmount: '2', price: at(0.1) })
    await arrive(made, [`${near.id} waiting`, `${far.id} waiting`])
    await maker.post('/api/waiting-orders/cancel', { ids: [far.id] })
    await arrive(made, [`${near.id} waiting`, `${far.id} waiting`, `${far.id} PLAYER`])
    await sell('200000000')
    const all = [`${near.id} waiting`, `${far.id} waiting`, `${far.id} PLAYER`, `${near.id} filled`]
    await arrive(made, all)
    const events = eventsAt(made)
    for (const { data } of events) expect(webhookData.order.strict().parse(data)).toEqual(data)
    expect(new Set(events.map(({ id }) => id)).size).toBe(all.length)
    await stream.until(() => stream.events.filter(({ type }) => type === 'order').length === all.length)
    expect(events.map(({ data }) => data)).toEqual(
      stream.events.filter(({ type }) => type === 'order').map(({ data }) => data),
    )
    stream.close()
    expect(eventsAt(others)).toEqual([])
    await eventually(() => expect(eventsAt(unnamed).map(({ type }) => type)).toEqual(['fill']))
  })

  it('gets an order that is partly filled long after it was placed, and one that expires', async () => {
    const { maker, at, place, sell } = await openWaitingMarket(server)
    const made = await verifyOrders(maker)
    const { id } = await place({ kind: 'buy', solAmount: '40', price: at(0.9) })
    const short = await place({ kind: 'buy', solAmount: '1', price: at(0.1) })
    await arrive(made, [`${id} waiting`, `${short.id} waiting`])
    await sql`update waiting_orders set placed_at = placed_at - interval '3 days' where id = ${id}`.execute(server.db)
    await sell('60000000')
    await arrive(made, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`])
    expect(eventsAt(made).at(-1)?.data.order.fills).toBe(1)
    await sql`update waiting_orders set expires_at = clock_timestamp() where id = ${short.id}`.execute(server.db)
    await server.tick('waitingOrders')
    await arrive(made, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`, `${short.id} EXPIRED`])
  })

  it('gets the player’s orders in a room that it names, but then not those in the market', async () => {
    const room = await openRoom(host, [member])
    const tokenId = await launchIn(room.id)
    const made = await verifyOrders(member, { fairs: [room.id] })
    const hosts = await verifyOrders(host, { fairs: [room.id] })
    const { place } = await openWaitingMarket(server)
    const order = { kind: 'buy', solAmount: '1', price: '0.00000001' }
    await place(order, member)
    const { id } = await place({ ...order, tokenId }, member)
    await arrive(made, [`${id} waiting`])
    expect(eventsAt(made)[0]?.data).toMatchObject({ fairId: room.id, tokenId, symbol: 'ROOM' })
    const own = await place({ ...order, tokenId }, host)
    await arrive(hosts, [`${own.id} waiting`])
  })
})

describe('a webhook that names posts', () => {
  const verifyPosts = (player: Visitor, more: object = {}) => verified(player, { events: ['post'], ...more })
  const textsAt = (made: Made): string[] => eventsAt(made).map(({ data }) => data.post.text)
  const arrive = (made: Made, texts: readonly string[]) => eventually(() => expect(textsAt(made)).toEqual(texts))
  const block = async (player: Visitor, other: Visitor) =>
    expect((await player.mutate('follows.block', { userId: await other.id() })).statusCode).toBe(200)
  async function say(player: Visitor, about: object): Promise<{ id: number; text: string }> {
    const answer = await player.post('/api/talk', { text: sayNew(), ...about })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }

  it('gets the posts about its tokens once and in order, and their later changes', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const [tokenId, other] = [await writer.launch(), await writer.launch()]
    const made = await verifyPosts(player, { tokenIds: [tokenId] })
    const first = await say(writer, { tokenId })
    await say(writer, { tokenId: other })
    await arrive(made, [first.text])
    const second = await say(writer, { tokenId, parentId: first.id })
    await arrive(made, [first.text, second.text])
    expect((await writer.raw('DELETE', `/api/talk/${first.id}`, '')).statusCode).toBe(200)
    await arrive(made, [first.text, second.text, ''])
    const events = eventsAt(made)
    for (const { data } of events) expect(webhookData.post.strict().parse(data)).toEqual(data)
    expect(events.map(({ data: { kind } }) => kind)).toEqual(['shown', 'shown', 'changed'])
    expect(events[0]).toMatchObject({ id: `post-${first.id}`, data: { tokenId, symbol: expect.any(String) } })
    expect(new Set(events.map(({ id }) => id)).size).toBe(3)
  })

  it('gets posts and trades in the order of the journal, but no posts if it names only trades', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const tokenId = await writer.launch()
    const both = await verifyPosts(player, { events: ['trade', 'post'], tokenIds: [tokenId] })
    const trades = await verifyPosts(player, { events: ['trade'], tokenIds: [tokenId] })
    const kinds: string[] = []
    for (let n = 0; n < 3; n++) {
      await say(writer, { tokenId })
      await buy(writer, tokenId)
      kinds.push('post', 'trade')
    }
    await eventually(() => {
      expect(eventsAt(both).map(({ type }) => type)).toEqual(kinds)
      expect(eventsAt(trades)).toHaveLength(3)
    })
    expect(eventsAt(trades).map(({ type }) => type)).toEqual(['trade', 'trade', 'trade'])
  })

  it('gets no posts of players whom its player blocks or who block that player, nor about a hidden token', async () => {
    const [player, blocked, blocking, friend] = [
      await server.player(),
      await server.player(),
      await server.player(),
      await server.player(),
    ]
    const [tokenId, hidden] = [await friend.launch(), await friend.launch()]
    await block(player, blocked)
    await block(blocking, player)
    const made = await verifyPosts(player)
    await say(blocked, { tokenId })
    await say(blocking, { tokenId })
    await say(friend, { tokenId: hidden })
    await server.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', hidden).execute()
    const heard = await say(friend, { tokenId })
    await arrive(made, [heard.text])
  })

  it('does not get a text that was deleted before delivery, not even when an earlier message is repeated', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const tokenId = await writer.launch()
    const made = await verifyPosts(player, { tokenIds: [tokenId] })
    receiver.answer = () => [500]
    const { id, text } = await say(writer, { tokenId })
    await arrive(made, [text])
    expect((await writer.raw('DELETE', `/api/talk/${id}`, '')).statusCode).toBe(200)
    receiver.answer = () => [204]
    expect((await player.post(`/api/webhooks/${made.id}/test`, {})).statusCode).toBe(200)
    await server.db
      .updateTable('outbox')
      .set({ due_at: new Date(0) })
      .execute()
    const last = { kind: 'changed', post: { state: 'deleted', text: '' } }
    await eventually(() => expect(eventsAt(made).at(-1)?.data).toMatchObject(last))
    expect(textsAt(made).slice(1).join('')).toBe('')
  })

  it('gets the posts about a room’s tokens while its player is in the room, but none of the lobby', async () => {
    const leaver = await server.player()
    const room = await openRoom(host, [member, leaver])
    const tokenId = await launchIn(room.id)
    const hooks = [
      await verifyPosts(member, { fairs: [room.id] }),
      await verifyPosts(leaver, { fairs: [room.id] }),
    ] as const
    const everything = await verifyPosts(await server.player())
    await leave(leaver, room.id)
    await say(host, { fairId: room.id })
    const { text } = await say(host, { tokenId })
    await arrive(hooks[0], [text])
    expect(eventsAt(hooks[0])[0]?.data).toMatchObject({ fairId: room.id, tokenId })
    // A later message has arrived, so no earlier message was still on its way.
    const market = await say(host, { tokenId: await host.launch() })
    await arrive(everything, [market.text])
    expect(eventsAt(hooks[1])).toEqual([])
  })
})
