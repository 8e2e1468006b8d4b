import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { voidFair } from '../../src/features/fairs/administer.ts'
import { openEventSource, type SourceEvent, type TestEventSource } from '../support/event-source.ts'
import { changeFair, makeRoom, playFair } from '../support/fairs.ts'
import { sentAll } from '../support/sent-all.ts'
import { createTestServer, openSocket, type TestServer, type Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

let server: TestServer
/** Another node with the same database, which finds trades by polling. */
let other: TestServer
let [port, otherPort] = [0, 0]
let host: Visitor
let member: Visitor
let stranger: Visitor
let [cup, room, tokenId, roomToken, fairgroundToken] = [0, 0, 0, 0, 0]
let key: string

beforeAll(async () => {
  server = await createTestServer()
  other = await createTestServer({ database: { ...server.database, drop: async () => {} } })
  port = await server.listen()
  otherPort = await other.listen()
  host = await server.player('host')
  member = await server.player('member')
  stranger = await server.player('stranger')
  key = (await host.post('/api/keys', { name: 'bot', scopes: ['market', 'trade'] })).json().key
  cup = (await host.post('/api/fairs', { kind: 'cup', name: 'Open cup', minutes: 30 })).json().fair.id
  room = (await makeRoom(host, [member], { name: 'Closed room' })).id
  await sendByKey('POST', `/api/fairs/${cup}/enter`, {})
  for (const id of [cup, room]) await changeFair(host, id, { act: 'start' })
  tokenId = JSON.parse((await launchIn(cup)).body).id
  roomToken = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room })).json().id
  fairgroundToken = await stranger.launch()
})
afterAll(async () => {
  await other?.close()
  await server?.close()
})

const TOKEN = { name: 'Cup Moon', symbol: 'CUP', emoji: '🌙' }

/** Sends a request with the API key, because cups reject sessions. */
const sendByKey = (method: 'POST' | 'PUT', url: string, body: object) =>
  server.visitor().raw(method, url, JSON.stringify(body), {
    'content-type': 'application/json',
    authorization: `Bearer ${key}`,
  })
const launchIn = (fairId: number) => sendByKey('POST', '/api/tokens/launch', { ...TOKEN, fairId })
const buy = async (solAmount = '0.01') => {
  const answer = await sendByKey('POST', '/api/tokens/buy', { tokenId, solAmount })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
}
const buyInRoom = async () => {
  const answer = await member.post('/api/tokens/buy', { tokenId: roomToken, solAmount: '0.01' })
  expect(answer.statusCode).toBe(200)
}

const cookieOf = ({ cookie = '' }: Visitor) => ({ cookie })
const open = (query: string, headers: Record<string, string> = {}, at = port) =>
  openEventSource(`http://127.0.0.1:${at}/api/events${query}`, headers)
const openWs = (query: string, headers: Record<string, string> = {}) =>
  openSocket(`ws://127.0.0.1:${port}/ws${query}`, headers)
const toKey = ({ data }: SourceEvent) => `${data.tokenId} ${data.seq}`
const listFirst = (source: TestEventSource, id: number) => [
  ...new Set(source.events.filter(({ data }) => data.tokenId === id).map(toKey)),
]
const live = async (source: TestEventSource) => {
  await source.until(() => source.lastId() !== '')
  return source
}
const fairsOf = ({ app }: TestServer) => app.market.fairs ?? app

/** Returns the sequence number of the last event of the cup's token. */
async function readSeq(): Promise<number> {
  const pools = fairsOf(server).platform.db.selectFrom('pools').select('seq').where('token_id', '=', tokenId)
  return (await pools.executeTakeFirstOrThrow()).seq
}

/** Waits until a node has sent all events of the fairs so far. */
const sent = (node: TestServer) => sentAll(fairsOf(node))

describe('a stream of fairs', () => {
  it('sends the events of the named fairs with their ids, and fewer if tokens or types are named', async () => {
    const source = await live(await open(`?fairs=${cup}`))
    const both = await live(await open(`?fairs=${cup},${room}`, cookieOf(member)))
    const filtered = await live(await open(`?fairs=${cup}&tokens=${tokenId},${roomToken}&types=trade`))
    const fairground = await live(await open(''))
    const launched = JSON.parse((await launchIn(cup)).body).id
    await buyInRoom()
    await buy('1')
    await stranger.buy(fairgroundToken, '1')
    await fairground.until(() => fairground.events.some(({ type }) => type === 'trade'))
    await source.at(1)
    await both.at(2)
    const launch = { type: 'token_launched', tokenId: launched, seq: 0, fairId: cup, ...TOKEN }
    const trade = { type: 'trade', tokenId, fairId: cup, ...TOKEN, trade: { solAmount: '1' } }
    expect(source.events).toMatchObject([
      { type: 'launch', data: launch },
      { type: 'trade', data: trade },
    ])
    expect(both.events.map(({ data }) => [data.tokenId, data.fairId])).toEqual([
      [launched, cup],
      [roomToken, room],
      [tokenId, cup],
    ])
    expect(fairground.events.map(({ data }) => [data.tokenId, data.fairId])).toEqual([[fairgroundToken, undefined]])
    await filtered.at(0)
    expect(filtered.events.map(({ data }) => data.tokenId)).toEqual([tokenId])
    for (const one of [source, both, filtered, fairground]) one.close()
  })

  it('finds missed events even if events of other fairs lie between', async () => {
    await sent(server)
    const after = fairsOf(server).live.stream.cursor
    const before = await readSeq()
    await buy()
    await sql`select fairs.next_position(100000)`.execute(server.db)
    await buy()
    await sent(server)
    const again = await open(`?fairs=${cup}&types=trade&after=${after}`)
    await again.until(() => again.events.some(({ type }) => type === 'live'))
    expect(listFirst(again, tokenId)).toEqual([`${tokenId} ${before + 1}`, `${tokenId} ${before + 2}`])
    again.close()
  })

  it('also sends missed events of a fair that has ended', async () => {
    const { id: made } = await makeRoom(host)
    await sent(server)
    const after = fairsOf(server).live.stream.cursor
    await changeFair(host, made, { act: 'start' })
    const { id } = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: made })).json()
    await playFair(server, host, made)
    const source = await open(`?fairs=${made}&after=${after}`, cookieOf(host))
    await source.until(() => listFirst(source, id).length === 1)
    source.close()
  })
})

describe('the moments of a fair', () => {
  /** A player without rooms, because each player can host three at a time. */
  let master: Visitor
  beforeAll(async () => {
    master = await server.player('master')
  })
  const momentsOf = (source: TestEventSource) => [
    ...new Set(source.events.filter(({ type }) => type === 'fair').map(({ data }) => `${data.fairId} ${data.moment}`)),
  ]
  const all = (fairId: number) => ['start', 'end', 'settled'].map((moment) => `${fairId} ${moment}`)

  it('are sent over each stream that names the fair, the end after the last trade, and again after a cursor', async () => {
    const { id: made } = await makeRoom(master)
    await sent(server)
    const after = fairsOf(server).live.stream.cursor
    const query = `?fairs=${made}&types=trade,fair`
    const source = await live(await open(query, cookieOf(master)))
    const plain = await live(await open(`?fairs=${made}`, cookieOf(master)))
    const ws = await openWs(`?fairs=${made}&types=fair`, cookieOf(master))
    const trpc = await openSocket(`ws://127.0.0.1:${otherPort}/trpc`, {
      ...cookieOf(master),
      origin: `http://127.0.0.1:${otherPort}`,
    })
    const json = { fairs: [made], types: ['fair'] }
    trpc.send({ id: 1, method: 'subscription', params: { path: 'live.market', input: { json } } })
    await trpc.next()
    await changeFair(master, made, { act: 'start' })
    const { id } = (await master.post('/api/tokens/launch', { ...TOKEN, fairId: made, initialBuyAmount: '50' })).json()
    await master.post('/api/tokens/buy', { tokenId: id, solAmount: '10' })
    await playFair(server, master, made)
    await source.until(() => momentsOf(source).length === 3)
    expect(momentsOf(source)).toEqual(all(made))
    const types = source.events.map(({ type, data }) => (type === 'fair' ? data.moment : type))
    expect(types.lastIndexOf('trade')).toBeLessThan(types.indexOf('end'))
    expect(source.events.at(-1)?.data).toEqual({
      type: 'fair',
      moment: 'settled',
      fairId: made,
      name: 'Friday evening',
      note: null,
      podium: [{ place: 1, userId: expect.any(Number), username: 'master', isBot: false, score: expect.any(String) }],
      createdAt: expect.any(String),
    })
    const [begun, fell] = source.events.filter(({ type }) => type === 'fair').map(({ data }) => data)
    expect([begun?.podium, fell?.podium]).toEqual([[], []])
    expect(fell?.createdAt).toBe((await master.get(`/api/fairs/${made}`)).json().bellAt)
    for (const moment of ['start', 'end', 'settled']) {
      expect(await ws.next()).toMatchObject({ type: 'fair', fairId: made, moment, cursor: expect.any(String) })
      expect(Object(await trpc.next()).result.data.json.data).toMatchObject({ type: 'fair', fairId: made, moment })
    }
    expect([momentsOf(plain), plain.events.length]).toEqual([[], 3])
    for (const node of [server, other]) await sent(node)
    for (const at of [port, otherPort]) {
      const again = await open(`${query}&after=${after}`, cookieOf(master), at)
      await again.until(() => again.events.some(({ type }) => type === 'live'))
      expect(momentsOf(again)).toEqual(all(made))
      const order = again.events.map(({ type, data }) => (type === 'fair' ? data.moment : type))
      expect(order.slice(0, 4)).toEqual(['start', 'trade', 'trade', 'end'])
      again.close()
    }
    for (const one of [source, plain]) one.close()
    for (const { socket } of [ws, trpc]) socket.terminate()
  })

  it('are an end without results if a fair is void, also for later subscribers', async () => {
    const [{ id: unbegun }, { id: played }] = [await makeRoom(master), await makeRoom(master)]
    const source = await live(await open(`?fairs=${unbegun},${played}&types=fair`, cookieOf(master)))
    await changeFair(master, unbegun, { act: 'end' })
    await source.until(() => momentsOf(source).length === 1)
    await playFair(server, master, played)
    await server.db.transaction().execute((tx) => voidFair(tx, played, 'Somebody cheated.'))
    await source.until(() => momentsOf(source).length === 5)
    expect(momentsOf(source)).toEqual([`${unbegun} void`, ...all(played), `${played} void`])
    const [first] = source.events
    expect(first?.data).toMatchObject({ note: 'This fair was cancelled before it started.', podium: [] })
    expect(source.events.at(-1)?.data).toMatchObject({ note: 'Somebody cheated.', podium: [] })
    source.close()
  })

  it.each(['?types=fair', '?fairs=CUP&tokens=TOKEN&types=fair'])('%s is rejected in one sentence', async (query) => {
    const answer = await master.get(`/api/events${query.replace('CUP', String(cup)).replace('TOKEN', String(tokenId))}`)
    const sentence = 'types can include fair only together with fairs and without tokens.'
    expect([answer.statusCode, answer.body]).toEqual([400, sentence])
  })
})

describe('cursors', () => {
  const SENTENCE =
    'must be of the same market: events of the fairground, and those that fairs= brings, have cursors of their own'

  it('of one market are rejected by the other, in one sentence', async () => {
    const [ofFairground, ofFairs] = [server.app.live.stream.cursor, fairsOf(server).live.stream.cursor]
    for (const [query, cursor] of [
      ['?', ofFairs],
      [`?fairs=${cup}&`, ofFairground],
    ]) {
      const byQuery = await host.get(`/api/events${query}after=${cursor}`)
      expect([byQuery.statusCode, byQuery.body]).toEqual([400, `after ${SENTENCE}.`])
      const byHeader = await host.get(`/api/events${query}`, { 'last-event-id': String(cursor) })
      expect([byHeader.statusCode, byHeader.body]).toEqual([400, `Last-Event-ID ${SENTENCE}.`])
      await expect(openWs(`${query}after=${cursor}`)).rejects.toThrow('400')
    }
    const trpc = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    for (const json of [{ lastEventId: ofFairs }, { lastEventId: ofFairground, fairs: [cup] }]) {
      trpc.send({ id: 1, method: 'subscription', params: { path: 'live.market', input: { json } } })
      await vi.waitFor(
        async () =>
          expect(await trpc.next()).toMatchObject({ error: { json: { message: `lastEventId ${SENTENCE}.` } } }),
        WAIT_MAX_MS,
      )
    }
    trpc.socket.terminate()
  })

  it('of other fairs are accepted, because fairs share one market', async () => {
    await sent(server)
    const source = await open(`?fairs=${room}&after=${fairsOf(server).live.stream.cursor}`, cookieOf(host))
    await source.until(() => source.events.some(({ type }) => type === 'live'))
    source.close()
  })
})

describe('access to a room’s stream', () => {
  it('is denied to a page of another site, even if its visitor is in the room', async () => {
    const headers = { ...cookieOf(member), origin: 'https://statistics.example' }
    expect((await member.get(`/api/events?fairs=${room}`, headers)).statusCode).toBe(404)
    await expect(openWs(`?fairs=${room}`, headers)).rejects.toThrow('404')
    const source = await open(`?fairs=${cup}`, headers)
    expect(source.status).toBe(200)
    source.close()
  })

  it('is granted to the host’s API key', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const source = await live(await open(`?fairs=${room}`, headers))
    const ws = await openWs(`?fairs=${room}`, headers)
    await buyInRoom()
    expect(await source.at(0)).toMatchObject({ data: { tokenId: roomToken, fairId: room } })
    expect(await ws.next()).toMatchObject({ tokenId: roomToken, fairId: room })
    source.close()
    ws.socket.terminate()
  })

  it('ends for a player who leaves', async () => {
    const leaver = await server.player()
    const again = await makeRoom(host, [leaver])
    const source = await open(`?fairs=${again.id}`, cookieOf(leaver))
    const ws = await openWs(`?fairs=${again.id}`, cookieOf(leaver))
    const trpc = await openSocket(`ws://127.0.0.1:${port}/trpc`, {
      ...cookieOf(leaver),
      origin: `http://127.0.0.1:${port}`,
    })
    const json = { fairs: [again.id] }
    trpc.send({ id: 1, method: 'subscription', params: { path: 'live.market', input: { json } } })
    await trpc.next()
    expect((await leaver.post(`/api/fairs/${again.id}/leave`, {})).statusCode).toBe(200)
    await source.closed
    expect(await ws.closed).toBe(1013)
    expect(await trpc.next()).toMatchObject({ error: { json: { data: { reason: 'FAIR_NOT_FOUND' } } } })
    trpc.socket.terminate()
  })
})

describe('bad fairs', () => {
  const IDS = 'fairs must be ids of fairs, separated by commas; leave it out for events of the fairground.'
  it.each([
    ['fairs=', IDS],
    ['fairs=1', IDS],
    ['fairs=2,,3', IDS],
    ['fairs=cup', IDS],
    ['fairs=9999999999', IDS],
    [`fairs=${'9'.repeat(200)}`, IDS],
    [`fairs=${Array.from({ length: 11 }, (_, i) => i + 2).join()}`, 'fairs must be at most 10 ids.'],
    ['fairs=2&fairs=3', 'fairs is given more than once.'],
    ['fairs[]=2', 'fairs[] is unknown; did you mean fairs?'],
    ['fair=2', 'fair is unknown; did you mean fairs?'],
  ])('%s is refused in one sentence', async (query, sentence) => {
    const answer = await host.get(`/api/events?${query}`)
    expect([answer.statusCode, answer.body]).toEqual([400, sentence])
    await expect(openWs(`?${query}`)).rejects.toThrow('400')
  })
})
