import { eventStreamInput } from '@papermoon/contract/live'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { VIEWS } from '../../../src/http/rest/openapi/document.ts'
import { openEventSource, type SourceEvent } from '../../support/event-source.ts'
import { sentAll } from '../../support/sent-all.ts'
import { errorsIn, openSocket, shareTestServer, type Visitor } from '../../support/test-server.ts'

const server = await shareTestServer()
const port = await server.listen()
const player = await server.player('market-maker')

const address = (query = '') => `http://127.0.0.1:${port}/api/events${query}`
const buy = async (tokenId: number, solAmount = '0.01') => {
  const answer = await player.post('/api/tokens/buy', { tokenId, solAmount })
  expect(answer.statusCode).toBe(200)
}
const toKey = ({ data }: SourceEvent) => `${data.tokenId} ${data.seq}`
/** Returns the first occurrence of each event of a token, because events can come more than once. */
const listFirst = (events: readonly SourceEvent[], tokenId: number): string[] => [
  ...new Set(events.filter(({ data }) => data.tokenId === tokenId).map(toKey)),
]
const toKeys = (tokenId: number, first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => `${tokenId} ${first + i}`)
/** Waits until all events so far were sent, so that a new cursor includes them. */
const sent = () => sentAll(server.app)

describe('/api/events', () => {
  it('sends launches, trades and rug pulls with their token’s name, like /ws', async () => {
    const source = await openEventSource(address(), { origin: 'https://statistics.example' })
    expect(source.status).toBe(200)
    expect(source.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'access-control-allow-origin': '*',
    })
    const sockets = [await openSocket(`ws://127.0.0.1:${port}/ws`), await openSocket(`ws://127.0.0.1:${port}/ws`)]
    const tokenId = await player.launch({ name: 'Paper "Moon"', symbol: 'PM', emoji: '🌕' })
    await buy(tokenId, '1')
    await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    const names = { tokenId, name: 'Paper "Moon"', symbol: 'PM', emoji: '🌕' }
    expect(await source.at(0)).toMatchObject({ type: 'launch', data: { type: 'token_launched', seq: 0, ...names } })
    expect(await source.at(1)).toMatchObject({
      type: 'trade',
      data: { type: 'trade', seq: 1, ...names, trade: { side: 'buy', solAmount: '1' } },
    })
    expect(await source.at(2)).toMatchObject({ type: 'rug', data: { type: 'rug_pull', seq: 2, ...names } })
    for (const socket of sockets) {
      for (const { data } of source.events) expect(await socket.next()).toMatchObject(data)
      socket.socket.close()
    }
    source.close()
  })

  it('sends only events that match the filter', async () => {
    const [wanted, other] = [await player.launch(), await player.launch()]
    const sources = await Promise.all([
      openEventSource(address(`?tokens=${wanted}`)),
      openEventSource(address('?types=rug')),
      openEventSource(address(`?tokens=${other},${wanted}&types=launch,rug`)),
    ])
    for (const source of sources) await source.until(() => source.lastId() !== '')
    for (const tokenId of [other, wanted]) await buy(tokenId)
    for (const tokenId of [other, wanted]) await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    const [byToken, byType, byBoth] = sources
    await byToken?.at(1)
    await byType?.at(1)
    await byBoth?.at(1)
    expect(byToken?.events.map(toKey)).toEqual([`${wanted} 1`, `${wanted} 2`])
    expect(byType?.events.map(toKey)).toEqual([`${other} 2`, `${wanted} 2`])
    expect(byBoth?.events.map(toKey)).toEqual([`${other} 2`, `${wanted} 2`])
    for (const source of sources) source.close()
  })

  it('resumes after the last id, given as a header or as `after`, for a day and without a gap', async () => {
    const tokenId = await player.launch()
    await sent()
    const first = await openEventSource(address(`?tokens=${tokenId}`))
    await first.until(() => first.lastId() !== '')
    const after = first.lastId()
    first.close()
    for (let seq = 1; seq <= 5; seq++) await buy(tokenId)
    await player.raw('POST', `/api/tokens/${tokenId}/rug`, '')
    const all = toKeys(tokenId, 1, 6)
    const check = async () => {
      for (const [query, headers] of [
        [`?tokens=${tokenId}&after=${after}`, {}],
        [`?tokens=${tokenId}`, { 'last-event-id': after }],
        [`?tokens=${tokenId}&after=bm90aGluZw`, { 'last-event-id': after }],
        [`?after=${after}`, {}],
      ] as const) {
        const again = await openEventSource(address(query), headers)
        const own = () => listFirst(again.events, tokenId)
        await again.until(() => own().length >= all.length)
        expect(own()).toEqual(all)
        again.close()
      }
    }
    // The events come from memory first, then from the journal, and then they are a day old.
    await check()
    await sent()
    await check()
    await sql`
      update trades set created_at = now() - interval '24 hours' + seq * interval '1 hour'
       where token_id = ${tokenId}`.execute(server.db)
    await check()
  })

  it('moves the position to resume at without an event that matches the filter', async () => {
    const [quiet, busy] = [await player.launch(), await player.launch()]
    await sent()
    const source = await openEventSource(address(`?tokens=${quiet}`))
    await source.until(() => source.lastId() !== '')
    // A heartbeat changes the id too.
    const after = source.lastId()
    await buy(busy)
    await sent()
    const again = await openEventSource(address(`?tokens=${quiet}&after=${after}`))
    await again.until(() => !['', after].includes(again.lastId()))
    expect(source.events).toEqual([])
    expect(again.events.filter(({ type }) => type !== 'live')).toEqual([])
    source.close()
    again.close()
  })

  it('marks the end of the past events once, and only if the client resumes', async () => {
    const tokenId = await player.launch()
    await sent()
    const after = server.app.live.stream.cursor
    for (let seq = 1; seq <= 3; seq++) await buy(tokenId)
    const fresh = await openEventSource(address(`?tokens=${tokenId}`))
    await fresh.until(() => fresh.lastId() !== '')
    const sources = [
      await openEventSource(address(`?tokens=${tokenId}&types=trade&after=${after}`)),
      await openEventSource(address(`?tokens=${tokenId}`), { 'last-event-id': after }),
    ]
    const isLive = ({ type }: SourceEvent) => type === 'live'
    for (const source of sources) await source.until(() => source.events.some(isLive))
    await buy(tokenId)
    for (const source of [fresh, ...sources]) {
      await source.until(() => source.events.some(({ data }) => data.seq === 4))
    }
    expect(fresh.events.filter(isLive)).toEqual([])
    for (const { events } of sources) {
      const place = events.findIndex(isLive)
      expect(listFirst(events.slice(0, place), tokenId)).toEqual(toKeys(tokenId, 1, 3))
      expect(events.slice(place + 1).filter(isLive)).toEqual([])
      expect(events.slice(place + 1).map(toKey)).toContain(`${tokenId} 4`)
      expect(Date.parse(events[place]?.data.at)).toBeLessThanOrEqual(Date.now())
    }
    // A client can resume after this event's id too.
    const [first] = sources
    const again = await openEventSource(address(`?tokens=${tokenId}&after=${first?.events.find(isLive)?.id}`))
    await again.until(() => again.events.some(isLive) && again.events.some(({ data }) => data.seq === 4))
    for (const source of [fresh, again, ...sources]) source.close()
  })

  it('sends a gap event if the cursor is too old, of another database, or from before a restore', async () => {
    const tokenId = await player.launch()
    await buy(tokenId)
    await sent()
    const {
      stream: { cursors },
      feed: { position },
    } = server.app.live
    const old = cursors.format(position - 1)
    const beyond = cursors.format(position + 1_000)
    const foreign = Buffer.from(`1.00000000.${position.toString(36)}`).toString('base64url')
    await server.db
      .updateTable('trades')
      .set({ created_at: new Date(Date.now() - 27 * 3_600_000) })
      .where('id', '=', position)
      .execute()
    for (const [after, reason] of [
      [old, 'expired'],
      [beyond, 'unknown'],
      [foreign, 'unknown'],
    ] as const) {
      const source = await openEventSource(address(`?after=${after}`))
      const gap = await source.at(0)
      expect(gap).toMatchObject({ type: 'gap', data: { type: 'gap', reason, until: expect.any(String) } })
      expect(gap.data.since === null).toBe(reason === 'unknown')
      // A client that resumes after this id gets all events from now on.
      const again = await openEventSource(address(`?after=${gap.id}`))
      await buy(tokenId)
      const hasTrade = (events: readonly SourceEvent[]) => events.some(({ type }) => type === 'trade')
      for (const one of [source, again]) await one.until(() => hasTrade(one.events))
      expect(source.events.map(({ type }) => type)).toEqual(expect.arrayContaining(['gap', 'live', 'trade']))
      expect(again.events.some(({ type }) => type === 'gap')).toBe(false)
      source.close()
      again.close()
    }
  })

  it.each([
    [
      '?after=nonsense',
      'after must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws.',
    ],
    ['?after=', 'after must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws.'],
    ['?tokens=x', 'tokens must be ids of tokens, separated by commas.'],
    ['?tokens=0', 'tokens must be ids of tokens, separated by commas.'],
    ['?tokens=9999999999', 'tokens must be ids of tokens, separated by commas.'],
    [`?tokens=${Array.from({ length: 51 }, (_, i) => i + 1)}`, 'tokens must be at most 50 ids.'],
    [
      '?types=trade,rug_pull',
      'types must be some of launch, trade, rug, seal, fair, post and order, separated by commas.',
    ],
    ['?types=', 'types must be some of launch, trade, rug, seal, fair, post and order, separated by commas.'],
    ['?type=trade', 'type is unknown; did you mean types?'],
    ['?tokens=1&tokens=2', 'tokens is given more than once.'],
  ])('refuses %s', async (query, sentence) => {
    const answer = await server.visitor().get(`/api/events${query}`)
    expect([answer.statusCode, answer.body]).toEqual([400, sentence])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    await expect(openSocket(`ws://127.0.0.1:${port}/ws${query}`)).rejects.toThrow('400')
  })

  it('sends a player’s orders to that player alone, and only if the filter names orders', async () => {
    const [own, other] = [await server.player('order-owner'), await server.player('order-other')]
    for (const nobody of [server.visitor(), server.visitor()]) {
      expect((await nobody.get('/api/events?types=order')).statusCode).toBe(401)
    }
    const tokenId = await other.launch({ initialBuyAmount: '30' })
    const price = Number((await own.get(`/api/tokens/${tokenId}`)).json().currentPrice)
    const open = async (player: Visitor, query: string) => {
      const { key } = (await player.post('/api/keys', { name: 'stream', scopes: ['market'] })).json()
      return await openEventSource(address(query), { authorization: `Bearer ${key}` })
    }
    const [mine, theirs, plain] = [
      await open(own, '?types=order'),
      await open(other, '?types=order,trade'),
      await open(own, ''),
    ]
    const placed = await own.post('/api/waiting-orders', {
      tokenId,
      kind: 'buy',
      solAmount: '1',
      price: (price * 0.9).toFixed(18),
    })
    const { order } = placed.json()
    await other.post('/api/tokens/sell', { tokenId, tokenAmount: '100000000' })
    await mine.until(() => mine.events.length >= 2)
    expect(mine.events.slice(0, 2)).toMatchObject([
      { type: 'order', data: { type: 'order', tokenId, order } },
      { type: 'order', data: { order: { id: order.id, state: 'filled', left: '0' } } },
    ])
    expect(JSON.stringify(mine.events)).not.toContain('userId')
    for (const source of [theirs, plain]) {
      await source.until(() => source.events.filter(({ type }) => type === 'trade').length >= 2)
      expect(source.events.some(({ type }) => type === 'order')).toBe(false)
    }
    const again = await open(own, `?types=order&after=${mine.events[0]?.id}`)
    await again.until(() => again.events.some(({ type }) => type === 'order'))
    for (const source of [mine, theirs, plain, again]) source.close()
  })

  it('is in both views of the OpenAPI document, with its parameters, type and errors', async () => {
    for (const view of VIEWS) {
      const document = (await server.visitor().get(`/api/openapi.json?view=${view}`)).json()
      const { parameters, responses, security, tags } = document.paths['/api/events'].get
      const resolve = (it: { $ref?: string }) =>
        it.$ref === undefined ? it : document.components.parameters[it.$ref.split('/').at(-1) ?? '']
      expect(parameters.map(resolve).map((it: { in: string; name: string }) => `${it.in} ${it.name}`)).toEqual([
        ...Object.keys(eventStreamInput.shape).map((name) => `query ${name}`),
        'header Last-Event-ID',
      ])
      expect(Object.keys(responses[200].content)).toEqual(['text/event-stream'])
      expect(Object.keys(responses)).toEqual(['200', '404', '503', '4XX', '5XX'])
      expect([security, tags]).toEqual([[], ['Live']])
      expect(document.tags.map(({ name }: { name: string }) => name)).toContain('Live')
    }
  })

  it('rejects an invalid key like REST', async () => {
    const bearer = { authorization: 'Bearer pm_nothing' }
    const here = await openEventSource(address(), bearer)
    const overRest = await server.visitor().get('/api/tokens', bearer)
    await here.closed
    expect([here.status, here.headers['cache-control']]).toEqual([401, 'no-store'])
    // The errors are equal except for `instance`, which names the request.
    expect({ ...JSON.parse(here.text()), instance: '' }).toEqual({ ...overRest.json(), instance: '' })
    expect(here.headers['www-authenticate']).toBe(overRest.headers['www-authenticate'])
    await expect(openSocket(`ws://127.0.0.1:${port}/ws`, bearer)).rejects.toThrow('401')
  })

  it('rejects a Last-Event-ID that is not a cursor', async () => {
    const answer = await server.visitor().get('/api/events', { 'last-event-id': '42' })
    expect([answer.statusCode, answer.body]).toEqual([
      400,
      'Last-Event-ID must be a cursor: the id of an event of /api/events, or the cursor of a message of /ws.',
    ])
  })

  it('accepts GET only, and responds to preflights', async () => {
    const posted = await server.visitor().post('/api/events', {})
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'GET'])
    expect((await server.visitor().send({ method: 'HEAD', url: '/api/events' })).statusCode).toBe(405)
    const leave = await server.visitor().send({
      method: 'OPTIONS',
      url: '/api/events',
      headers: {
        origin: 'https://statistics.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'last-event-id',
      },
    })
    expect([leave.statusCode, leave.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })
})

describe('/ws', () => {
  it('sends a gap event, and marks the end of the past events', async () => {
    const foreign = Buffer.from('1.00000000.1.1').toString('base64url')
    const socket = await openSocket(`ws://127.0.0.1:${port}/ws?after=${foreign}`)
    expect(await socket.next()).toMatchObject({ type: 'gap', reason: 'unknown', cursor: expect.any(String) })
    expect(await socket.next()).toMatchObject({ type: 'live', at: expect.any(String), cursor: expect.any(String) })
    socket.socket.close()
  })
})

it('none of these tests logged an error', () => {
  expect(errorsIn(server)).toEqual([])
})
