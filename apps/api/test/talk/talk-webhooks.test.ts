import { describe, expect, it } from 'vitest'
import { webhookData } from '../../src/features/notices/webhooks/delivery/read-events.ts'
import { changeFair, makeRoom } from '../support/fairs.ts'
import type { Visitor } from '../support/test-server.ts'
import { type Made, openWebhooks } from '../support/webhook-receiver.ts'
import { sayNew } from '../support/words.ts'

const { receiver, server, eventsAt, eventually, verified } = await openWebhooks(['post'])

const textsAt = (made: Made): string[] => eventsAt(made).map(({ data }) => data.post.text)
const arrive = (made: Made, texts: readonly string[]) => eventually(() => expect(textsAt(made)).toEqual(texts))

async function say(player: Visitor, about: object): Promise<{ id: number; text: string }> {
  const answer = await player.post('/api/talk', { text: sayNew(), ...about })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}
const block = async (player: Visitor, other: Visitor) => {
  const id = await other.id()
  const answer = await player.mutate('follows.block', { userId: id })
  expect(answer.statusCode, answer.body).toBe(200)
}

describe('a webhook that names posts', () => {
  it('gets those of its tokens, each once and in order, and what becomes of them', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const [tokenId, other] = [await writer.launch(), await writer.launch()]
    const made = await verified(player, { tokenIds: [tokenId] })
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

  it('gets them beside trades, in the order of the journal; one that names other events gets none', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const tokenId = await writer.launch()
    const both = await verified(player, { events: ['trade', 'post'], tokenIds: [tokenId] })
    const trades = await verified(player, { events: ['trade'], tokenIds: [tokenId] })
    const kinds: string[] = []
    for (let n = 0; n < 3; n++) {
      await say(writer, { tokenId })
      expect((await writer.post('/api/tokens/buy', { tokenId, solAmount: '0.01' })).statusCode).toBe(200)
      kinds.push('post', 'trade')
    }
    await eventually(() => {
      expect(eventsAt(both).map(({ type }) => type)).toEqual(kinds)
      expect(eventsAt(trades)).toHaveLength(3)
    })
    expect(eventsAt(trades).map(({ type }) => type)).toEqual(['trade', 'trade', 'trade'])
  })

  it('gets nothing of whom its player blocks or who blocks them, nor of a hidden token', async () => {
    const [player, blocked, blocking, friend] = [
      await server.player(),
      await server.player(),
      await server.player(),
      await server.player(),
    ]
    const [tokenId, hidden] = [await friend.launch(), await friend.launch()]
    await block(player, blocked)
    await block(blocking, player)
    const made = await verified(player)
    await say(blocked, { tokenId })
    await say(blocking, { tokenId })
    await say(friend, { tokenId: hidden })
    await server.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', hidden).execute()
    const heard = await say(friend, { tokenId })
    await arrive(made, [heard.text])
  })

  it('does not get words that were taken away before it was called, nor an old message again with them', async () => {
    const [player, writer] = [await server.player(), await server.player()]
    const tokenId = await writer.launch()
    const made = await verified(player, { tokenIds: [tokenId] })
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

  it('gets a room’s while its player is in it, and no lobby’s', async () => {
    const [host, member, leaver] = [await server.player(), await server.player(), await server.player()]
    const room = await makeRoom(host, [member, leaver])
    await changeFair(host, room.id, { act: 'start' })
    const launched = await host.post('/api/tokens/launch', {
      name: 'Room',
      symbol: 'ROOM',
      emoji: '🌙',
      fairId: room.id,
    })
    const { id: tokenId } = launched.json()
    const hooks = [await verified(member, { fairs: [room.id] }), await verified(leaver, { fairs: [room.id] })] as const
    const everything = await verified(await server.player())
    expect((await leaver.post(`/api/fairs/${room.id}/leave`, {})).statusCode).toBe(200)
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
