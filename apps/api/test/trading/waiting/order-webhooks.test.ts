import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { webhookData } from '../../../src/features/notices/webhooks/delivery/read-events.ts'
import { openEventSource } from '../../support/event-source.ts'
import { openRoom } from '../../support/fairs.ts'
import { openWaitingMarket } from '../../support/waiting-market.ts'
import { type Made, openWebhooks } from '../../support/webhook-receiver.ts'

const { server, eventsAt, eventually, verified } = await openWebhooks(['order'])

const statesAt = (made: Made) =>
  eventsAt(made).map(({ data: { order } }) => `${order.id} ${order.cause ?? order.state}`)
const arrive = (made: Made, states: readonly string[]) => eventually(() => expect(statesAt(made)).toEqual(states))

describe('a webhook that names orders', () => {
  it('gets what becomes of its player’s orders, each change once and as the stream says it', async () => {
    const { maker, taker, at, place, sell } = await openWaitingMarket(server)
    const others = await verified(taker)
    const unnamed = await verified(maker, { events: ['fill'] })
    const made = await verified(maker)
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

  it('gets an order that was partly filled long after it was placed, and one that has expired', async () => {
    const { maker, at, place, sell } = await openWaitingMarket(server)
    const made = await verified(maker)
    const { id } = await place({ kind: 'buy', solAmount: '40', price: at(0.9) })
    const short = await place({ kind: 'buy', solAmount: '1', price: at(0.1) })
    await arrive(made, [`${id} waiting`, `${short.id} waiting`])
    await sql`update waiting_orders set placed_at = placed_at - interval '3 days' where id = ${id}`.execute(server.db)
    await sell('60000000')
    await arrive(made, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`])
    expect(eventsAt(made).at(-1)?.data.order.fills).toBe(1)
    await sql`update waiting_orders set expires_at = clock_timestamp() where id = ${short.id}`.execute(server.db)
    await arrive(made, [`${id} waiting`, `${short.id} waiting`, `${id} waiting`, `${short.id} EXPIRED`])
  })

  it('gets those of a room that it names while its player is in it, and then not the market’s', async () => {
    const [host, member] = [await server.player(), await server.player()]
    const room = await openRoom(host, [member])
    const token = { name: 'Room', symbol: 'ROOM', emoji: '🌙', fairId: room.id }
    const { id: tokenId } = (await host.post('/api/tokens/launch', token)).json()
    const made = await verified(member, { fairs: [room.id] })
    const hosts = await verified(host, { fairs: [room.id] })
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
