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
/** The source of the page. A build adds scripts, but leaves the head where it is. */
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
/** A cursor of the event stream from before the room had tokens. */
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
  // Followers are notified of a player's launches, but not of those in a room.
  await stranger.put(`/api/follows/player/${hostId}`, {})
  fairgroundToken = await stranger.launch({ initialBuyAmount: '1' })
  before = await readTotals()
  room = await openRoom(host, [member, former], { name: ROOM })
  const { stream } = (server.app.market.fairs ?? server.app).live
  roomStart = stream.cursor
  // The room's first token has the id 1,000,000,000, which is also every token's supply, so the test looks for a second
  // token.
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

/**
 * Trades twice in the room. Each feed is in order, so once a member has received both trades, the first one has been
 * sent to everybody who gets it.
 */
async function tradeAndHear(): Promise<void> {
  const { send, next, socket } = await openSocket(`${origin.replace('http', 'ws')}/trpc`, cookieOf(member))
  // Without `lastEventId`, the subscription might begin only after the first trade.
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

/** Resolves once a listener has received everything that was sent to it before this call. */
async function answerPing({ socket }: Listener): Promise<void> {
  socket.ping()
  await once(socket, 'pong')
}

/** Returns responses with figures of players and of the market, which a room must not change. */
async function readTotals(): Promise<Record<string, string>> {
  const paths = ['/api/proof', '/api/leaderboard', `/api/users/${hostId}/profile`, '/api/tokens/movers', '/api/tape']
  const answers = await Promise.all(paths.map((path) => server.visitor().get(path)))
  const timeless = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
  return Object.fromEntries(paths.map((path, i) => [path, timeless(answers[i]?.body ?? '')]))
}

/** Returns which of the room's names, ids and other identifying strings a text contains. */
const findMarks = (text: string): string[] =>
  [ROOM, TOKEN.name, TOKEN.symbol, TOKEN.emoji, TOKEN.description, room.invite, String(tokenId)].filter((mark) =>
    text.includes(mark),
  )

/**
 * Returns the inputs to try with a procedure: a valid one, and variants with the id or name of the room, its token or
 * its host in each field that takes one.
 */
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
  // Many procedures take neither an id nor words, so some of the inputs are equal.
  return [...new Map(inputs.map((it) => [JSON.stringify(it), it])).values()]
}

/**
 * Returns the paths of all GET operations in the OpenAPI document, with the id of the room, its token or its host in
 * place of each parameter.
 */
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
  // Most paths have no format, and many have no id, so there are duplicates.
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

/**
 * Returns those addresses whose response contains data of the room or differs from the one for an id without a token.
 */
async function listRevealing(who: Visitor, addresses: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const address of addresses) {
    const { body, statusCode } = await who.get(address)
    if (findMarks(body).length > 0) found.push(address)
    else if (address.includes(String(tokenId))) {
      // The response must be the same as for an id that does not exist.
      const nothing = await who.get(address.replaceAll(String(tokenId), String(NOBODY)))
      if (statusCode !== nothing.statusCode || body !== nothing.body) found.push(address)
    }
  }
  return found
}

/** The queries and addresses whose responses to a member contain data of the room. */
let open: { readonly queries: string[]; readonly addresses: string[] }
let allAddresses: string[]
beforeAll(async () => {
  const queries: string[] = []
  for (const path of QUERIES) if (await reveals(member, path)) queries.push(path)
  allAddresses = await listAddresses()
  open = { queries, addresses: await listRevealing(member, allAddresses) }
})

describe('a member', () => {
  it('finds the room with the same requests that find nothing for others', () => {
    const some = ['tokens.get', 'tokens.trades', 'trading.position', 'fairs.list', 'fairs.get', 'fairs.tokens']
    expect(open.queries).toEqual(expect.arrayContaining(some))
    expect(open.addresses.length).toBeGreaterThan(some.length)
  })
})

describe('a player who has left a room', () => {
  it.each(QUERIES)('finds nothing of the room with %s', async (path) => {
    expect(await reveals(outsiders.former, path)).toBe(false)
  })

  it('finds nothing of the room over REST, in exports and in documents', async () => {
    const addresses = [...allAddresses, '/api/asyncapi.json', '/metrics', '/healthz']
    expect(await listRevealing(outsiders.former, addresses)).toEqual([])
  })
})

describe.each(['guest', 'stranger'] as const)('a %s', (who) => {
  it('finds nothing of a room with the requests that show it to a member', async () => {
    for (const path of open.queries) expect([path, await reveals(outsiders[who], path)]).toEqual([path, false])
    expect(await listRevealing(outsiders[who], open.addresses)).toEqual([])
  })
})

describe.each(['guest', 'stranger', 'former'] as const)('a %s', (who) => {
  it('finds nothing of a room on pages and in pictures', async () => {
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
    // The HTML of a room's token is the same as for an id without a token, because the script loads the token for
    // members.
    const page = await outsiders[who].get(`/token/${tokenId}`, { accept: 'text/html' })
    const none = await outsiders[who].get('/token/2000000001', { accept: 'text/html' })
    expect([page.statusCode, page.body]).toEqual([200, none.body])
    expect([none.statusCode, /<title>(.*?)<\/title>/.exec(none.body)?.[1]]).toEqual([200, 'Token · Papermoon'])
    for (const picture of [`/og/token/${tokenId}.png`, `/og/fair/${room.id}/${hostId}.png`]) {
      expect((await outsiders[who].get(picture)).statusCode).toBe(404)
    }
  })
})

/** Returns a list to which every further message of the socket is added. */
function collect({ socket }: Listener): string[] {
  const texts: string[] = []
  socket.on('message', (data) => texts.push(String(data)))
  return texts
}

const cookieOf = ({ cookie }: Visitor): Record<string, string> => (cookie === undefined ? {} : { cookie, origin })

/**
 * Returns what a visitor gets of the room's events after a cursor: the HTTP status, then the text over server-sent
 * events, then the first message or the error over WebSocket.
 */
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

/**
 * Expects outsiders to get the same responses as for a fair that does not exist, and a member to get the room's events.
 */
async function expectRoomUnheard(after: string): Promise<void> {
  for (const visitor of Object.values(outsiders))
    expect(await hearRoom(visitor, after)).toEqual([404, 'There is no such fair.', 'Error: 404'])
  const [status, ...texts] = await hearRoom(member, after)
  expect([status, findMarks(texts.join()).length > 0]).toEqual([200, true])
}

describe('a page of posts', () => {
  it('does not reveal by its cursor whether, or when, something was said in a room', async () => {
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
  it('send nothing of a room to outsiders, whatever they ask for', async () => {
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
    // The feeds are in order, so whoever has received this later trade was not sent the room's trades.
    await outsiders.stranger.buy(fairgroundToken, '1')
    await vi.waitFor(() => expect(texts[0]?.()).toContain('"trade"'), WAIT_MAX_MS)
    await Promise.all(sockets.map(answerPing))
    for (const [index, text] of texts.entries()) expect([index, findMarks(text())]).toEqual([index, []])
    for (const { socket } of sockets) socket.terminate()
  })

  it('of fairs respond to outsiders as if the room did not exist', () => expectRoomUnheard(roomStart))

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
  it('contain nothing of a room, even after it has ended', async () => {
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
