import type { FairEvent } from '@papermoon/contract/market-events'
import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { webhookData } from '../../src/features/notices/webhooks/delivery/events.ts'
import { toDiscordMessage } from '../../src/features/notices/webhooks/delivery/to-call.ts'
import { changeFair, makeRoom, playFair } from '../support/fairs.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'
import { forgetWebhooks, startWebhookReceiver, startWebhookServer } from '../support/webhook-receiver.ts'

const WAIT = { timeout: 120_000, interval: 30 }
const TOKEN = { name: 'Room Moon', symbol: 'ROOM', emoji: '🌙' }
const EVENTS = ['trade', 'launch', 'rug', 'fair']

let host: Visitor
let member: Visitor
let hooks = 0
const receiver = await startWebhookReceiver()
afterAll(() => receiver.close())
const server = await startWebhookServer()
afterAll(() => server.close())
// A player hosts three fairs at a time.
beforeEach(async () => {
  host = await server.player()
  member = await server.player()
})
afterEach(() => forgetWebhooks(server, receiver))

const create = (player: Visitor, input: object) =>
  player.post('/api/webhooks', { url: `${receiver.origin}/fair-hook-${++hooks}`, events: EVENTS, ...input })

/** A webhook that has answered its challenge. Returns its path. */
async function verified(player: Visitor, input: object): Promise<string> {
  const answer = await create(player, input)
  expect(answer.statusCode, answer.body).toBe(201)
  const { id, url } = answer.json()
  const isActive = async () =>
    (await player.get('/api/webhooks')).json().find((it: { id: number }) => it.id === id).status === 'active'
  await vi.waitUntil(isActive, WAIT)
  return new URL(url).pathname
}

interface SentEvent {
  readonly id: string
  readonly type: string
  readonly data: Record<string, unknown>
}

const textsAt = (path: string) => receiver.calls.filter((call) => call.path === path).map(({ text }) => text)
const eventsAt = (path: string): SentEvent[] =>
  textsAt(path)
    .map((text) => JSON.parse(text))
    .flatMap(({ type, data }) => (type === 'events' ? data.events : []))
const idsAt = (path: string) => eventsAt(path).map(({ id }) => id)
const arrive = (path: string, ids: readonly string[]) =>
  vi.waitFor(() => expect([...idsAt(path)].sort()).toEqual([...ids].sort()), WAIT)

/** A room that trades. */
async function openRoom(players: readonly Visitor[], settings: object = {}) {
  const room = await makeRoom(host, players, settings)
  await changeFair(host, room.id, { act: 'start' })
  const tokenId: number = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json().id
  return { ...room, tokenId }
}
const buy = async (player: Visitor, tokenId: number) => {
  const answer = await player.post('/api/tokens/buy', { tokenId, solAmount: '0.01' })
  expect(answer.statusCode, answer.body).toBe(200)
}
const leave = async (player: Visitor, fairId: number) =>
  expect((await player.post(`/api/fairs/${fairId}/leave`, {})).statusCode).toBe(200)

describe('a webhook that names fairs', () => {
  it('gets their life, launches, trades and rug pulls, each once, and nothing of others or the fairground', async () => {
    const room = await makeRoom(host, [member], { rugs: true })
    const other = await openRoom([member])
    const fairground = await member.launch()
    const path = await verified(member, { fairs: [room.id] })
    await changeFair(host, room.id, { act: 'start' })
    const { id } = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
    await buy(member, id)
    await buy(member, other.tokenId)
    await buy(member, fairground)
    await host.post(`/api/tokens/${id}/rug`, {})
    await playFair(host, room.id)
    const moments = ['start', 'end', 'settled'].map((moment) => `fair-${room.id}-${moment}`)
    await arrive(path, [...moments, `launch-${id}`, `trade-${id}-1`, `rug-${id}`])
    for (const { type, data } of eventsAt(path)) {
      expect(webhookData[type as keyof typeof webhookData].strict().parse(data)).toEqual(data)
      expect(data.fairId).toBe(room.id)
    }
    expect(eventsAt(path).at(-1)?.data).toMatchObject({ moment: 'settled', podium: expect.any(Array) })
  })

  it('gets one’s own trades in them, and notices as ever', async () => {
    const room = await openRoom([member])
    const path = await verified(member, { fairs: [room.id], events: ['fill', 'notice.rug'] })
    const fairground = await host.launch()
    await buy(member, fairground)
    await buy(host, room.tokenId)
    await buy(member, room.tokenId)
    await arrive(path, [`fill-${room.tokenId}-2`])
    await host.post(`/api/tokens/${fairground}/rug`, {})
    await vi.waitFor(() => expect(eventsAt(path).map(({ type }) => type)).toContain('notice.rug'), WAIT)
    expect(idsAt(path)).toHaveLength(2)
  })

  it('goes on where it was once another node follows: nothing is lost, and what was taken does not come again', async () => {
    const database = await createTestDatabase()
    const first = await startWebhookServer({ database: { ...database, drop: async () => {} } })
    let second: TestServer | undefined
    try {
      const player = await first.player()
      const room = await makeRoom(player)
      await changeFair(player, room.id, { act: 'start' })
      const path = await verified(player, { fairs: [room.id] })
      const { id } = (await player.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
      await buy(player, id)
      await vi.waitFor(() => expect(idsAt(path)).toContain(`trade-${id}-1`), WAIT)
      receiver.answer = () => [500]
      await buy(player, id)
      await vi.waitFor(() => expect(idsAt(path)).toContain(`trade-${id}-2`), WAIT)
      // Behind the message that is not taken, and not yet followed when the node ends.
      await buy(player, id)
      await first.close()
      const before = idsAt(path).length
      receiver.answer = () => [204]
      second = await startWebhookServer({ database })
      await sql`update outbox set due_at = now()`.execute(database.db)
      await vi.waitFor(() => expect(idsAt(path)).toContain(`trade-${id}-3`), WAIT)
      const { rows } = await sql<{ seq: number }>`select seq from fairs.trades order by id`.execute(database.db)
      expect(rows).toHaveLength(3)
      expect(idsAt(path).slice(before)).toEqual([`trade-${id}-2`, `trade-${id}-3`])
      expect(idsAt(path).filter((one) => one.startsWith('launch'))).toEqual([`launch-${id}`])
    } finally {
      await (second ?? first).close()
      if (second === undefined) await database.drop()
    }
  })
})

describe('a room', () => {
  it.each([
    ['leaves', leave],
    [
      'is removed',
      async (player: Visitor, fairId: number) => {
        const { id } = (await player.get('/api/auth/user')).json()
        expect((await host.raw('DELETE', `/api/fairs/${fairId}/entrants/${id}`, '')).statusCode).toBe(200)
      },
    ],
  ])('is told to nobody who %s, not even what waited', async (_how, go) => {
    const player = await server.player()
    const room = await makeRoom(host, [player, member])
    const cup = (await host.post('/api/fairs', { kind: 'cup', name: 'A cup', minutes: 30 })).json().fair
    const path = await verified(player, { fairs: [room.id, cup.id] })
    receiver.answer = () => [500]
    await changeFair(host, room.id, { act: 'start' })
    await vi.waitFor(() => expect(idsAt(path)).toContain(`fair-${room.id}-start`), WAIT)
    await go(player, room.id)
    receiver.answer = () => [204]
    const before = textsAt(path).length
    await sql`update outbox set due_at = now()`.execute(server.db)
    const { id } = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
    await buy(member, id)
    await playFair(host, room.id)
    // Public ones go on, behind what was held back.
    await changeFair(host, cup.id, { act: 'start' })
    await vi.waitFor(() => expect(idsAt(path)).toContain(`fair-${cup.id}-start`), WAIT)
    const later = textsAt(path).slice(before).join()
    expect(later).not.toContain(TOKEN.name)
    expect(later).not.toContain(`fair-${room.id}`)
  })

  it('is told to its host who has not entered it', async () => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Not mine', minutes: 30 })).json()
    const path = await verified(host, { fairs: [fair.id], events: ['fair'] })
    await changeFair(host, fair.id, { act: 'end' })
    await arrive(path, [`fair-${fair.id}-void`])
  })
})

describe('bad choices', () => {
  it('of fairs are refused in one sentence each', async () => {
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
        'fairs is for trade, launch, rug, fill, order, fair and post: name some of them.',
      ],
      [{ events: ['fair', 'trade'] }, 400, 'fair is of fairs: name them in fairs.'],
    ]
    for (const [input, status, sentence] of refusals) {
      const answer = await create(member, input)
      expect([input, answer.statusCode, answer.body]).toEqual([input, status, sentence])
    }
    expect((await member.get('/api/webhooks')).json()).toEqual([])
  })
})

const MOMENT = { id: 'fair-12', type: 'fair' } as const

it('Discord shows a line for each moment of a fair', () => {
  const data = { fairId: 12, name: '*Friday*', note: null, podium: [], createdAt: 'now' }
  const podium = [{ place: 1, userId: 3 as never, username: 'lu_na', isBot: false, score: '104.209' }]
  const moments: Omit<FairEvent, 'type'>[] = [
    { ...data, moment: 'start' },
    { ...data, moment: 'end' },
    { ...data, moment: 'settled', podium },
    { ...data, moment: 'void', note: 'Somebody cheated.' },
  ]
  const events = moments.map((moment) => ({ ...MOMENT, timestamp: 'now', data: { type: MOMENT.type, ...moment } }))
  expect(toDiscordMessage(events, 0).embeds[0]?.description.split('\n')).toEqual([
    '🎪 \\*Friday\\*: trading has begun',
    '🎪 \\*Friday\\*: the bell has fallen',
    '🎪 \\*Friday\\*: the results are there. 1. lu\\_na 104.20 SOL',
    '🎪 \\*Friday\\*: it does not count. Somebody cheated\\.',
  ])
})
