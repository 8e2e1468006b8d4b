import { createTestDatabase } from '@papermoon/db/testing'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { webhookData } from '../../src/features/notices/webhooks/delivery/read-events.ts'
import { changeFair, makeRoom, openRoom, playFair } from '../support/fairs.ts'
import type { TestServer, Visitor } from '../support/test-server.ts'
import { type Made, openWebhooks } from '../support/webhook-receiver.ts'

const TOKEN = { name: 'Room Moon', symbol: 'ROOM', emoji: '🌙' }

let host: Visitor
let member: Visitor
const { receiver, server, start, create, verified, callsTo, eventsAt, idsAt, eventually } = await openWebhooks([
  ...['trade', 'launch', 'rug', 'fair'],
])
// A player hosts three fairs at a time.
beforeEach(async () => {
  host = await server.player()
  member = await server.player()
})

const arrive = (made: Made, ids: readonly string[]) =>
  eventually(() => expect([...idsAt(made)].sort()).toEqual([...ids].sort()))

/** A room that trades. */
async function openMarket(players: readonly Visitor[], settings: object = {}) {
  const room = await openRoom(host, players, settings)
  const tokenId: number = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json().id
  return { ...room, tokenId }
}
const buy = (player: Visitor, tokenId: number) => player.buy(tokenId, '0.01')
const leave = async (player: Visitor, fairId: number) =>
  expect((await player.post(`/api/fairs/${fairId}/leave`, {})).statusCode).toBe(200)

describe('a webhook that names fairs', () => {
  it('gets their life, launches, trades and rug pulls, each once, and nothing of others or the fairground', async () => {
    const room = await makeRoom(host, [member], { rugs: true })
    const other = await openMarket([member])
    const fairground = await member.launch()
    const made = await verified(member, { fairs: [room.id] })
    await changeFair(host, room.id, { act: 'start' })
    const { id } = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
    await buy(member, id)
    await buy(member, other.tokenId)
    await buy(member, fairground)
    await host.post(`/api/tokens/${id}/rug`, {})
    await playFair(host, room.id)
    const moments = ['start', 'end', 'settled'].map((moment) => `fair-${room.id}-${moment}`)
    await arrive(made, [...moments, `launch-${id}`, `trade-${id}-1`, `rug-${id}`])
    for (const { type, data } of eventsAt(made)) {
      expect(webhookData[type as keyof typeof webhookData].strict().parse(data)).toEqual(data)
      expect(data.fairId).toBe(room.id)
    }
    expect(eventsAt(made).at(-1)?.data).toMatchObject({ moment: 'settled', podium: expect.any(Array) })
  })

  it('gets one’s own trades in them, and notices as ever', async () => {
    const room = await openMarket([member])
    const made = await verified(member, { fairs: [room.id], events: ['fill', 'notice.rug'] })
    const fairground = await host.launch()
    await buy(member, fairground)
    await buy(host, room.tokenId)
    await buy(member, room.tokenId)
    await arrive(made, [`fill-${room.tokenId}-2`])
    await host.post(`/api/tokens/${fairground}/rug`, {})
    await eventually(() => expect(eventsAt(made).map(({ type }) => type)).toContain('notice.rug'))
    expect(idsAt(made)).toHaveLength(2)
  })

  it('goes on where it was once another node follows: nothing is lost, and what was taken does not come again', async () => {
    const database = await createTestDatabase()
    const first = await start({ database: { ...database, drop: async () => {} } })
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
      // Behind the message that is not taken, and not yet followed when the node ends.
      await buy(player, id)
      await first.close()
      const before = idsAt(made).length
      receiver.answer = () => [204]
      second = await start({ database })
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
    const made = await verified(player, { fairs: [room.id, cup.id] })
    receiver.answer = () => [500]
    await changeFair(host, room.id, { act: 'start' })
    await eventually(() => expect(idsAt(made)).toContain(`fair-${room.id}-start`))
    await go(player, room.id)
    receiver.answer = () => [204]
    const before = callsTo(made).length
    await sql`update outbox set due_at = now()`.execute(server.db)
    const { id } = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id })).json()
    await buy(member, id)
    await playFair(host, room.id)
    // Public events continue after the withheld events.
    await changeFair(host, cup.id, { act: 'start' })
    await eventually(() => expect(idsAt(made)).toContain(`fair-${cup.id}-start`))
    const later = callsTo(made)
      .slice(before)
      .map(({ text }) => text)
      .join()
    expect(later).not.toContain(TOKEN.name)
    expect(later).not.toContain(`fair-${room.id}`)
  })

  it('is told to its host who has not entered it', async () => {
    const { fair } = (await host.post('/api/fairs', { kind: 'room', name: 'Not mine', minutes: 30 })).json()
    const made = await verified(host, { fairs: [fair.id], events: ['fair'] })
    await changeFair(host, fair.id, { act: 'end' })
    await arrive(made, [`fair-${fair.id}-void`])
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
