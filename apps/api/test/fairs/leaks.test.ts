import { once } from 'node:events'
import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { procedures } from '@papermoon/contract'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { getBadInputRow } from '../support/bad-input.ts'
import { openEventSource } from '../support/event-source.ts'
import { openRoom, playFair } from '../support/fairs.ts'
import { createTestServer, type Listener, openSocket, type TestServer, type Visitor } from '../support/test-server.ts'
import { WAIT_MAX_MS } from '../support/wait.ts'

const ROOM = 'Owls of the attic'
const TOKEN = { name: 'Zanzibar Lantern', symbol: 'ZZLAMP', emoji: '🏮', description: 'A lamp behind seven doors' }
/** The source of the page; a build adds scripts and keeps the place of the head. */
const PAGE = fileURLToPath(new URL('../../../web/index.html', import.meta.url))
const SUBSCRIPTIONS = [...procedures].filter(([, { type }]) => type === 'subscription').map(([path]) => path)
const QUERIES = [...procedures].filter(([, { type }]) => type === 'query').map(([path]) => path)

const NOBODY = 1_999_999_999

let server: TestServer
let origin: string
let host: Visitor
let member: Visitor
let outsiders: Record<'guest' | 'stranger' | 'former', Visitor>
let room: { readonly id: number; readonly invite: string }
let tokenId: number
let hostId: number
let fairgroundToken: number
/** Responses from before the room was created. */
let before: Record<string, string>
/** A cursor of before the room's tokens. */
let roomStart: string

beforeAll(async () => {
  const webRoot = await mkdtemp(join(tmpdir(), 'papermoon-leaks-'))
  await cp(PAGE, join(webRoot, 'index.html'))
  server = await createTestServer({ webRoot })
  server.passToNoon()
  origin = `http://127.0.0.1:${await server.listen()}`
  host = await server.player('host')
  member = await server.player('member')
  const [stranger, former] = [await server.player('stranger'), await server.player('former')]
  outsiders = { guest: server.visitor(), stranger, former }
  hostId = (await host.get('/api/auth/user')).json().id
  // Followers hear of launches, but not of those in a room.
  await stranger.put(`/api/follows/player/${hostId}`, {})
  fairgroundToken = await stranger.launch({ initialBuyAmount: '1' })
  before = await readTotals()
  room = await openRoom(host, [member, former], { name: ROOM })
  const { stream } = (server.app.market.fairs ?? server.app).live
  roomStart = stream.cursor
  // The first id is also every token's supply.
  await host.post('/api/tokens/launch', { name: 'First', symbol: 'FIRST', fairId: room.id })
  tokenId = (await host.post('/api/tokens/launch', { ...TOKEN, fairId: room.id, initialBuyAmount: '5' })).json().id
  await trade()
  await former.post('/api/tokens/buy', { tokenId, solAmount: '1' })
  await former.post(`/api/fairs/${room.id}/leave`, {})
  for (const job of ['notices', 'stickers', 'topThree', 'changes'] as const) await server.tick(job)
})
afterAll(() => server?.close())

const trade = async () =>
  expect((await member.post('/api/tokens/buy', { tokenId, solAmount: '3' })).statusCode).toBe(200)

/** Trades twice in the room. Once a member has heard of both, the first was sent to everybody to whom it is sent. */
async function tradeAndHear(): Promise<void> {
  const { send, next, socket } = await openSocket(`${origin.replace('http', 'ws')}/trpc`, cookieOf(member))
  // Without a number, a subscription may begin after the first trade.
  const { seq } = (await member.get(`/api/tokens/${tokenId}`)).json()
  const json = { tokenId, lastEventId: String(seq) }
  send({ id: 1, method: 'subscription', params: { path: 'live.token', input: { json } } })
  await next()
  for (let trades = 0; trades < 2; trades++) {
    await trade()
    await next()
  }
  socket.terminate()
}

/** Resolves once a listener has all that was sent to it before. */
async function answerPing({ socket }: Listener): Promise<void> {
  socket.ping()
  await once(socket, 'pong')
}

/** Figures of players and of the market, which a room must not change. */
async function readTotals(): Promise<Record<string, string>> {
  const paths = ['/api/proof', '/api/leaderboard', `/api/users/${hostId}/profile`, '/api/tokens/movers', '/api/tape']
  const answers = await Promise.all(paths.map((path) => server.visitor().get(path)))
  const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
  return Object.fromEntries(paths.map((path, i) => [path, timeless(answers[i]?.body ?? '')]))
}

/** The marks of the room in a text; none where nothing of it is there. */
const findMarks = (text: string): string[] =>
  [ROOM, TOKEN.name, TOKEN.symbol, TOKEN.emoji, TOKEN.description, room.invite, String(tokenId)].filter((mark) =>
    text.includes(mark),
  )

/** Inputs of a procedure with an id of the room, a name of it, or its host wherever one fits. */
function listInputs(path: string): Record<string, unknown>[] {
  const { input } = procedures.get(path) ?? {}
  const { valid } = getBadInputRow(path)
  if (!input) return [{}]
  const fields = Object.entries(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }).properties ?? {})
  const fill = (id: number, words: string) =>
    Object.fromEntries(
      fields.flatMap(([field, schema]): [string, unknown][] => {
        const { type, anyOf = [{ type }] } = schema as { type?: string; anyOf?: { type?: string }[] }
        const types = anyOf.map((kind) => kind.type)
        if (/^(seq|after|limit|before|minutes|bots|speed|lastEventId|cursor)$/.test(field)) return []
        if (types.includes('integer')) return [[field, id]]
        if (/^(tokenIds|fairs)$/.test(field)) return [[field, [id]]]
        if (field === 'ids') return [[field, String(id)]]
        if (/^(search|query)$/.test(field)) return [[field, words]]
        return []
      }),
    )
  const inputs: Record<string, unknown>[] = [
    valid,
    ...[tokenId, room.id, hostId].map((id) => ({ ...valid, ...fill(id, TOKEN.name) })),
    { ...valid, ...fill(tokenId, ROOM) },
  ]
  // Many procedures take neither an id nor words.
  return [...new Map(inputs.map((it) => [JSON.stringify(it), it])).values()]
}

/** The addresses of every read of the document, with an id of the room wherever one fits. */
async function listAddresses(): Promise<string[]> {
  const { paths } = (await server.visitor().get('/api/openapi.json?view=full')).json()
  const reads = Object.keys(paths).filter((path) => paths[path].get !== undefined && path !== '/api/events')
  expect(reads.length).toBeGreaterThan(60)
  const addresses = reads.flatMap((path) =>
    [tokenId, room.id, hostId].flatMap((id) =>
      ['csv', 'ndjson'].map((format) =>
        path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => {
          if (name === 'format') return format
          return /^(seq|after)$/.test(name) ? '1' : String(id)
        }),
      ),
    ),
  )
  // Most have no format, and many no id.
  return [...new Set(addresses)]
}

/** Returns whether a query's response contains data of the room, with any of the query's inputs. */
async function reveals(who: Visitor, path: string): Promise<boolean> {
  for (const input of listInputs(path)) {
    const answer = await who.query(path, input)
    expect([input, answer.statusCode < 500]).toEqual([input, true])
    if (findMarks(answer.body).length > 0) return true
  }
  return false
}

/** Of these addresses those in which someone finds something of the room, or learns that its token is one. */
async function listRevealing(who: Visitor, addresses: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const address of addresses) {
    const { body, statusCode } = await who.get(address)
    if (findMarks(body).length > 0) found.push(address)
    else if (address.includes(String(tokenId))) {
      // The response is the same as for an unknown id.
      const nothing = await who.get(address.replaceAll(String(tokenId), String(NOBODY)))
      if (statusCode !== nothing.statusCode || body !== nothing.body) found.push(address)
    }
  }
  return found
}

/** Where a member finds the room. */
let open: { readonly queries: string[]; readonly addresses: string[] }
let allAddresses: string[]
beforeAll(async () => {
  const queries: string[] = []
  for (const path of QUERIES) if (await reveals(member, path)) queries.push(path)
  allAddresses = await listAddresses()
  open = { queries, addresses: await listRevealing(member, allAddresses) }
})

describe('a member', () => {
  it('finds the room by the walk that finds nothing for others', () => {
    const some = ['tokens.get', 'tokens.trades', 'trading.position', 'fairs.list', 'fairs.get', 'fairs.tokens']
    expect(open.queries).toEqual(expect.arrayContaining(some))
    expect(open.addresses.length).toBeGreaterThan(some.length)
  })
})

describe('whoever has left a room', () => {
  it.each(QUERIES)('finds nothing of a room by %s', async (path) => {
    expect(await reveals(outsiders.former, path)).toBe(false)
  })

  it('finds nothing of it over REST, in exports and documents', async () => {
    const addresses = [...allAddresses, '/api/asyncapi.json', '/metrics', '/healthz']
    expect(await listRevealing(outsiders.former, addresses)).toEqual([])
  })
})

describe.each(['guest', 'stranger'] as const)('a %s', (who) => {
  it('finds nothing of a room where a member does', async () => {
    for (const path of open.queries) expect([path, await reveals(outsiders[who], path)]).toEqual([path, false])
    expect(await listRevealing(outsiders[who], open.addresses)).toEqual([])
  })
})

describe.each(['guest', 'stranger', 'former'] as const)('a %s', (who) => {
  it('finds nothing of a room on pages and pictures', async () => {
    const pages = [
      '/',
      '/sitemap.xml',
      '/fairs',
      '/proof',
      '/leaderboard',
      `/profile/${hostId}`,
      `/og/user/${hostId}.png`,
    ]
    for (const path of [
      ...pages,
      `/token/${tokenId}`,
      `/fairs/${room.id}`,
      `/og/token/${tokenId}.png`,
      `/og/fair/${room.id}/${hostId}.png`,
    ]) {
      const answer = await outsiders[who].get(path, { accept: 'text/html' })
      const body = answer.body.replaceAll(path, '')
      expect([path, findMarks(body)]).toEqual([path, []])
    }
    // The page of a room's token is that of an id without a token: its members get the rest by the script.
    const page = await outsiders[who].get(`/token/${tokenId}`, { accept: 'text/html' })
    const none = await outsiders[who].get('/token/2000000001', { accept: 'text/html' })
    expect([page.statusCode, page.body]).toEqual([200, none.body])
    expect([none.statusCode, /<title>(.*?)<\/title>/.exec(none.body)?.[1]]).toEqual([200, 'Token · Papermoon'])
    for (const picture of [`/og/token/${tokenId}.png`, `/og/fair/${room.id}/${hostId}.png`]) {
      expect((await outsiders[who].get(picture)).statusCode).toBe(404)
    }
  })
})

/** All messages of a socket from now on. */
function collect({ socket }: Listener): string[] {
  const texts: string[] = []
  socket.on('message', (data) => texts.push(String(data)))
  return texts
}

const cookieOf = ({ cookie }: Visitor): Record<string, string> => (cookie === undefined ? {} : { cookie, origin })

/** Returns the room's events after a cursor that a listener gets over both transports. */
async function hearRoom(visitor: Visitor, after: string): Promise<readonly (string | number)[]> {
  const query = `?fairs=${room.id}&after=${after}`
  const stream = await openEventSource(`${origin}/api/events${query}`, cookieOf(visitor))
  if (stream.status !== 200) {
    await stream.closed
    const refusal = await openSocket(`${origin.replace('http', 'ws')}/ws${query}`, cookieOf(visitor)).catch(String)
    return [stream.status, stream.text(), String(refusal)]
  }
  await stream.until(() => findMarks(stream.text()).includes(TOKEN.name))
  stream.close()
  const { socket, next } = await openSocket(`${origin.replace('http', 'ws')}/ws${query}`, cookieOf(visitor))
  const first = JSON.stringify(await next())
  socket.terminate()
  return [stream.status, stream.text(), first]
}

/** Outsiders get the same responses as for a fair that does not exist. */
async function expectRoomUnheard(after: string): Promise<void> {
  for (const visitor of Object.values(outsiders))
    expect(await hearRoom(visitor, after)).toEqual([404, 'There is no such fair.', 'Error: 404'])
  const [status, ...texts] = await hearRoom(member, after)
  expect([status, findMarks(texts.join()).length > 0]).toEqual([200, true])
}

describe('a page of posts', () => {
  it('does not tell by its cursor whether, or when, something was said in a room', async () => {
    const made = await host.post('/api/fairs', { kind: 'cup', name: 'Open cup', minutes: 30 })
    const lobby = made.json().fair.id
    const say = async (fairId: number, text: string): Promise<number> => {
      const answer = await host.post('/api/talk', { fairId, text })
      expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)])
      return answer.json().id
    }
    await say(lobby, 'Welcome to the cup, everybody')
    const secret = await say(room.id, 'Only for those in the room')
    for (const visitor of Object.values(outsiders)) {
      const page = async (cursor: number) => (await visitor.get(`/api/talk?fairId=${lobby}&cursor=${cursor}`)).body
      expect(await page(secret)).toBe(await page(NOBODY))
    }
  })
})

describe('the live feeds', () => {
  it('send nothing of a room to whoever is not in it, whatever they ask for', async () => {
    const ws = origin.replace('http', 'ws')
    const texts: (() => string)[] = []
    const sockets: Listener[] = []
    for (const visitor of Object.values(outsiders)) {
      for (const query of ['', `?tokens=${tokenId}`]) {
        const socket = await openSocket(`${ws}/ws${query}`, cookieOf(visitor))
        const heard = collect(socket)
        sockets.push(socket)
        texts.push(() => heard.join('\n'))
        const stream = await openEventSource(`${origin}/api/events${query}`, cookieOf(visitor))
        texts.push(() => stream.text())
      }
      const trpc = await openSocket(`${ws}/trpc`, cookieOf(visitor))
      const heard = collect(trpc)
      sockets.push(trpc)
      texts.push(() => heard.join('\n'))
      let id = 0
      for (const path of SUBSCRIPTIONS) {
        for (const input of listInputs(path)) {
          trpc.send({ id: ++id, method: 'subscription', params: { path, input: { json: input } } })
        }
      }
      for (const path of ['tokens.get', 'history.candles', 'fairs.get']) {
        trpc.send({
          id: ++id,
          method: 'query',
          params: { path, input: { json: { ...getBadInputRow(path).valid, id: tokenId } } },
        })
      }
      await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(id), WAIT_MAX_MS)
    }
    await tradeAndHear()
    // The feeds are in order: what comes after the room's trade shows that it did not.
    await outsiders.stranger.buy(fairgroundToken, '1')
    await vi.waitFor(() => expect(texts[0]?.()).toContain('"trade"'), WAIT_MAX_MS)
    await Promise.all(sockets.map(answerPing))
    for (const [index, text] of texts.entries()) expect([index, findMarks(text())]).toEqual([index, []])
    for (const { socket } of sockets) socket.terminate()
  })

  it('of fairs do not know the room for whoever is not in it', () => expectRoomUnheard(roomStart))

  it.each([
    ['leaves', (player: Visitor) => player.post(`/api/fairs/${room.id}/leave`, {})],
    [
      'is removed',
      async (player: Visitor) =>
        host.raw('DELETE', `/api/fairs/${room.id}/entrants/${(await player.get('/api/auth/user')).json().id}`, ''),
    ],
  ])('end for a player who %s', async (_how, go) => {
    const player = await server.player()
    await player.post(`/api/fairs/${room.id}/enter`, { invite: room.invite })
    const socket = await openSocket(`${origin.replace('http', 'ws')}/trpc`, cookieOf(player))
    const heard = collect(socket)
    socket.send({ id: 1, method: 'subscription', params: { path: 'live.token', input: { json: { tokenId } } } })
    socket.send({ id: 2, method: 'subscription', params: { path: 'fairs.watch', input: { json: { id: room.id } } } })
    await vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(3), WAIT_MAX_MS)
    expect((await go(player)).statusCode).toBe(200)
    await vi.waitFor(() => {
      const errors = heard.map((text) => JSON.parse(text)).filter(({ error }) => error !== undefined)
      expect(errors.map(({ id, error }) => [id, error.json.data.reason]).sort()).toEqual([
        [1, 'TOKEN_NOT_FOUND'],
        [2, 'FAIR_NOT_FOUND'],
      ])
    }, WAIT_MAX_MS)
    const count = heard.length
    await tradeAndHear()
    await answerPing(socket)
    expect(heard.slice(count)).toEqual([])
    socket.socket.terminate()
  })
})

describe('public figures', () => {
  it('have nothing of a room, also once it has ended', async () => {
    const own = { '/api/leaderboard': '', '/api/tokens/movers': '' }
    await playFair(server, host, room.id)
    await expectRoomUnheard(roomStart)
    expect({ ...(await readTotals()), ...own }).toEqual({ ...before, ...own })
    const { former, ...others } = outsiders
    for (const address of allAddresses)
      expect([address, findMarks((await former.get(address)).body)]).toEqual([address, []])
    for (const visitor of Object.values(others)) {
      for (const address of open.addresses)
        expect([address, findMarks((await visitor.get(address)).body)]).toEqual([address, []])
    }
  })
})
