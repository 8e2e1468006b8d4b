import type { AppRouter } from '@papermoon/contract/router'
import { createTRPCClient, createWSClient, httpBatchLink, httpLink, TRPCClientError, wsLink } from '@trpc/client'
import superjson from 'superjson'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { BATCH_MAX } from '../../../src/trpc.ts'
import { countHashes, errorsIn, openSocket, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const launcher = await server.player('launcher')
const tokenId = await launcher.launch()
const port = await server.listen()

const url = () => `http://127.0.0.1:${port}/trpc`

const same = (value: unknown) => value
const plainInput = { input: { serialize: same, deserialize: same }, output: superjson }

describe('tRPC over HTTP', () => {
  it.each([
    ['inputs in superjson’s envelope', superjson],
    ['plain inputs', plainInput],
  ])('serves the stock client, alone and in batches, with %s', async (_name, transformer) => {
    const alone = createTRPCClient<AppRouter>({ links: [httpLink({ url: url(), transformer })] })
    expect(await alone.auth.me.query()).toBeNull()
    const batched = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: url(), transformer })] })
    const [token, settings, holders] = await Promise.all([
      batched.tokens.get.query({ id: tokenId as never }),
      batched.site.settings.query(),
      batched.tokens.holders.query({ id: tokenId as never }),
    ])
    expect([token.id, settings.communityUrl, holders]).toEqual([tokenId, '/docs#community', []])
  })

  it('responds to each call of a batch separately', async () => {
    const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: url(), transformer: superjson })] })
    const answers = await Promise.allSettled([
      client.tokens.get.query({ id: tokenId as never }),
      client.tokens.get.query({ id: 2_000_000_000 as never }),
    ])
    expect(answers.map((answer) => answer.status)).toEqual(['fulfilled', 'rejected'])
    const refusal = answers[1]?.status === 'rejected' ? answers[1].reason : null
    expect(refusal).toBeInstanceOf(TRPCClientError)
    expect(refusal).toMatchObject({ message: 'Token not found.', data: { httpStatus: 404, reason: 'TOKEN_NOT_FOUND' } })
  })

  it('rejects a batch of more than 20 calls completely', async () => {
    const paths = (count: number) => new Array<string>(count).fill('site.settings').join(',')
    const [fits, tooMany] = [
      await server.visitor().get(`/trpc/${paths(BATCH_MAX)}?batch=1`),
      await server.visitor().get(`/trpc/${paths(BATCH_MAX + 1)}?batch=1`),
    ]
    expect([fits.statusCode, tooMany.statusCode]).toEqual([200, 400])
    expect(tooMany.json().error.json.message).toBe('A batch can have at most 20 calls.')
  })

  it('runs no call of a batch that contains a call that must be alone', async () => {
    const player = await server.player('alone')
    const inputs = { 0: { json: { name: 'Moon', symbol: 'M' } }, 1: { json: { email: 'a@b', password: 'x' } } }
    const answer = await player.post('/trpc/tokens.launch,auth.login?batch=1', inputs)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.json.message).toBe('This call must be sent alone, not in a batch.')
    const id = await player.id()
    expect(await server.db.selectFrom('tokens').selectAll().where('creator_id', '=', id).execute()).toEqual([])
  })

  it('accepts queries by POST, alone and in a batch, so that an input can stay out of the URL', async () => {
    const alone = await server.visitor().post('/trpc/fairs.get', { json: { id: 999_999 } })
    expect([alone.statusCode, alone.json().error.json.data.reason]).toEqual([404, 'FAIR_NOT_FOUND'])
    const batch = await server.visitor().post('/trpc/auth.me,site.settings?batch=1', {})
    expect(batch.json()).toMatchObject([{ result: { data: { json: null } } }, { result: {} }])
  })

  it.each([
    ['an unknown procedure', 'GET', '/trpc/tokens.nothing', 404],
    ['a prototype’s name', 'GET', '/trpc/__proto__', 404],
    ['a mutation by GET', 'GET', '/trpc/auth.logout', 405],
    ['a subscription over HTTP', 'GET', '/trpc/live.market', 400],
    ['broken JSON in the URL', 'GET', '/trpc/tokens.get?input=%7B', 400],
    ['an input that superjson cannot read', 'GET', '/trpc/tokens.get?input=5', 400],
    ['an invalid URL', 'GET', '/trpc/%zz', 400],
    ['another method', 'PUT', '/trpc/auth.me', 405],
    ['no procedure', 'GET', '/trpc', 404],
    ['an empty name', 'GET', '/trpc/', 404],
  ] as const)('refuses %s with a sentence', async (_name, method, address, status) => {
    const answer = await server.visitor().send({ method, url: address })
    expect(answer.statusCode).toBe(status)
    const sentence = answer.headers['content-type']?.includes('json') ? answer.json().error.json.message : answer.body
    expect(sentence).toMatch(/^[A-Z][^\n]*\.$/)
  })

  it('exposes no stack, and logs no rejected call as an error', () => {
    expect(errorsIn(server)).toEqual([])
  })
})

describe('tRPC over a WebSocket', () => {
  it('makes calls with the session of its upgrade', async () => {
    const player = await server.player('caller')
    const client = createWSClient({
      url: `ws://127.0.0.1:${port}/trpc`,
      WebSocket: class extends WebSocket {
        constructor(address: string | URL) {
          super(address, { headers: { cookie: player.cookie } })
        }
      } as never,
    })
    const trpc = createTRPCClient<AppRouter>({ links: [wsLink({ client, transformer: superjson })] })
    expect(await trpc.auth.me.query()).toMatchObject({ username: 'caller' })
    await client.close()
  })

  it.each([
    ['enveloped', (input: object) => ({ json: input })],
    ['plain', (input: object) => input],
  ])('streams events, tracked by sequence number, for %s input', async (name, send) => {
    const player = await server.player(`streamed-${name}`)
    const id = await player.launch()
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    // Subscribe from the first event on, because `started` may arrive before the server knows the current position.
    const params = { path: 'live.token', input: send({ tokenId: id }), lastEventId: '0' }
    listener.send({ id: 1, method: 'subscription', params })
    expect(await listener.next()).toMatchObject({ id: 1, result: { type: 'started' } })
    await player.post('/api/tokens/buy', { tokenId: id, solAmount: '1' })
    const { result } = Object(await listener.next())
    expect(result).toMatchObject({
      type: 'data',
      id: '1',
      data: { json: { data: { type: 'trade', tokenId: id, seq: 1 } } },
    })
    listener.socket.close()
  })

  it.each<[string, object]>([
    ['auth.login', { email: 'launcher@papermoon.example', password: 'secret-1' }],
    ['auth.forgotPassword', { email: 'launcher@papermoon.example' }],
    ['security.changePassword', { password: 'secret-1', newPassword: 'a paper moon' }],
  ])('refuses %s, since it cannot set a cookie', async (path, json) => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, { cookie: String(launcher.cookie) })
    const before = await countHashes(server)
    listener.send({ id: 1, method: 'mutation', params: { path, input: { json } } })
    const { error } = Object(await listener.next())
    expect(error.json.message).toContain('over HTTP')
    expect(await countHashes(server)).toBe(before)
    listener.socket.close()
  })

  it('limits batches without closing the connection', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const call = (id: number) => ({ id, method: 'query', params: { path: 'site.settings', input: { json: null } } })
    listener.send(Array.from({ length: BATCH_MAX + 1 }, (_, id) => call(id)))
    expect(await listener.next()).toMatchObject({ error: { json: { message: 'A batch can have at most 20 calls.' } } })
    listener.socket.send('{"broken')
    expect(await listener.next()).toMatchObject({ error: { json: { message: 'The message is not valid JSON.' } } })
    listener.send(call(99))
    expect(await listener.next()).toMatchObject({ id: 99, result: { type: 'data' } })
    listener.socket.close()
  })

  it('rejects an id that is too long, and runs no call with it', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const call = (id: unknown) => ({ id, method: 'query', params: { path: 'site.settings', input: { json: null } } })
    const subscribe = (id: unknown) => ({ id, method: 'subscription', params: { path: 'live.market', input: {} } })
    const message = 'An id must be an integer or a text of at most 64 characters.'
    for (const id of ['x'.repeat(65), 'x'.repeat(32_000), 1.5, { of: 'mine' }, ['mine'], true]) {
      for (const said of [call(id), subscribe(id), [call(1), call(id)], { id, method: 'subscription.stop' }]) {
        listener.send(said)
        expect(await listener.next()).toMatchObject({ id: null, error: { json: { message } } })
      }
    }
    for (const id of ['x'.repeat(64), 7]) {
      listener.send(call(id))
      expect(await listener.next()).toMatchObject({ id, result: { type: 'data' } })
    }
    listener.socket.close()
  })

  it('limits the subscriptions of a socket, and frees a slot when one stops', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const subscribe = (id: number) =>
      listener.send({ id, method: 'subscription', params: { path: 'live.market', input: { json: {} } } })
    for (let id = 1; id <= 33; id++) subscribe(id)
    const answers = []
    for (let id = 1; id <= 33; id++) answers.push(Object(await listener.next()))
    expect(answers.filter((answer) => answer.result?.type === 'started')).toHaveLength(32)
    expect(answers.find((answer) => answer.error)?.error.json.data).toMatchObject({ httpStatus: 429 })
    listener.send({ id: 1, method: 'subscription.stop' })
    expect(await listener.next()).toMatchObject({ id: 1, result: { type: 'stopped' } })
    subscribe(34)
    expect(await listener.next()).toMatchObject({ id: 34, result: { type: 'started' } })
    listener.socket.close()
  })

  it('rejects an id that is in use, and uses no slot for it', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const subscribe = async (id: number) => {
      listener.send({ id, method: 'subscription', params: { path: 'live.market', input: { json: {} } } })
      return await listener.next()
    }
    const started = { result: { type: 'started' } }
    expect(await subscribe(1)).toMatchObject(started)
    for (let times = 0; times < 40; times++) {
      expect(await subscribe(1)).toMatchObject({ id: 1, error: { json: { data: { httpStatus: 400 } } } })
    }
    for (let id = 2; id <= 32; id++) expect(await subscribe(id)).toMatchObject(started)
    expect(await subscribe(33)).toMatchObject({ id: 33, error: { json: { data: { httpStatus: 429 } } } })
    listener.socket.close()
  })

  it('responds to each of many concurrent calls with its id, and has done what the response says', async () => {
    const player = await server.player('hasty')
    const tokenId = await player.launch()
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, { cookie: String(player.cookie) })
    const ids = Array.from({ length: 300 }, (_, id) => id)
    const input = { json: { tokenId, solAmount: '0.01' } }
    for (const id of ids) listener.send({ id, method: 'mutation', params: { path: 'trading.buy', input } })
    const answers = []
    while (answers.length < ids.length) answers.push(Object(await listener.next()))
    listener.socket.close()
    expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual(ids)
    const refused = answers.flatMap(({ error }) => (error === undefined ? [] : [error.json.data.reason]))
    expect([...new Set(refused)]).toEqual(['TOO_MANY_ORDERS'])
    const { totalTrades } = (await player.get(`/api/tokens/${tokenId}`)).json()
    expect(totalTrades).toBe(ids.length - refused.length)
  })

  it('trades once for a key that comes over REST, in a batch and over a socket at the same moment', async () => {
    const player = await server.player('keyed')
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`, { cookie: String(player.cookie) })
    const send = async (solAmount: string) => {
      const json = { tokenId, solAmount, requestId: 'mixed' }
      listener.send({ id: 1, method: 'mutation', params: { path: 'trading.buy', input: { json } } })
      const [rest, batch, socket] = await Promise.all([
        player.post('/api/tokens/buy', json, { accept: 'application/json' }),
        player.post('/trpc/trading.buy?batch=1', { 0: { json } }),
        listener.next(),
      ])
      return [rest.json(), ...[batch.json()[0], Object(socket)].map((it) => it.result?.data.json ?? it.error.json.data)]
    }
    const [first, ...others] = (await send('0.5')).map(({ trade }) => trade)
    expect(others).toEqual([first, first])
    expect((await send('0.6')).map(({ code, reason = code }) => reason)).toEqual(Array(3).fill('REQUEST_KEY_REUSED'))
    expect(
      await server.db.selectFrom('trades').select('id').where('user_id', '=', first.userId).execute(),
    ).toHaveLength(1)
    listener.socket.close()
  })

  it('ends a subscription that is stopped while it is being opened', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const ids = Array.from({ length: 10 }, (_, index) => index + 1)
    for (const id of ids) {
      listener.send({ id, method: 'subscription', params: { path: 'live.market', input: { json: {} } } })
      listener.send({ id, method: 'subscription.stop' })
    }
    const ended = new Set<unknown>()
    while (ended.size < ids.length) {
      const { id, result } = Object(await listener.next())
      if (result?.type === 'stopped') ended.add(id)
    }
    expect([...ended].sort()).toEqual(ids.toSorted())
    listener.socket.close()
  })

  it('responds with 404 for the events of an unknown token, and logs no error', async () => {
    const listener = await openSocket(`ws://127.0.0.1:${port}/trpc`)
    const before = errorsIn(server).length
    listener.send({
      id: 1,
      method: 'subscription',
      params: { path: 'live.token', input: { json: { tokenId: 900_000_000 } } },
    })
    expect(await listener.next()).toMatchObject({ result: { type: 'started' } })
    expect(await listener.next()).toMatchObject({
      error: { json: { message: 'Token not found.', data: { httpStatus: 404, reason: 'TOKEN_NOT_FOUND' } } },
    })
    expect(errorsIn(server).slice(before)).toEqual([])
    listener.socket.close()
  })

  it('is closed if a message is too large or breaks the protocol, without an error in the log', async () => {
    const before = errorsIn(server).length
    const listeners = await Promise.all([1, 2].map(() => openSocket(`ws://127.0.0.1:${port}/trpc`)))
    listeners[0]?.socket.send('x'.repeat(40_000))
    listeners[1]?.socket.send(Buffer.from([0xff]), { binary: false })
    expect(await Promise.all(listeners.map(({ closed }) => closed))).toEqual([1009, 1007])
    expect(errorsIn(server).slice(before)).toEqual([])
  })
})
