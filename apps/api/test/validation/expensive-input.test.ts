import { expect, it, vi } from 'vitest'
import { openSocket, shareTestServer } from '../support/test-server.ts'

const OVERSIZED = 'The input has too many parts or is nested too deeply.'
const DEEP = `${'['.repeat(400)}${']'.repeat(400)}`
const LONG = `[${new Array(2_000).fill(0).join()}]`
const JSON_TYPE = { 'content-type': 'application/json' }
const TYPED_ARRAY = '{"json":{"length":1000000},"meta":{"values":[["typed-array","Uint8Array"]]}}'

/**
 * JSON texts that cost far more to read than their size, and the error that rejects them. `plain-input.test.ts` tests
 * more.
 */
const inputs = [
  ['a typed array', TYPED_ARRAY, 'BAD_INPUT'],
  ['a big number', `{"json":"${'9'.repeat(20_000)}","meta":{"values":["bigint"]}}`, 'BAD_INPUT'],
  ['deep lists', `{"json":${DEEP}}`, OVERSIZED],
  ['long lists', `{"json":${LONG}}`, OVERSIZED],
] as const
const oversized = inputs.filter(([, , says]) => says === OVERSIZED)

const server = await shareTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
const url = `ws://127.0.0.1:${await server.listen()}/trpc`
const post = (path: string, body: string, headers = {}) =>
  server.visitor().raw('POST', path, body, { ...JSON_TYPE, ...headers })

/** Returns a function that returns the number of calls counted since. */
function countCalls(): () => number {
  const spend = vi.spyOn(server.app.accounts.limits, 'spend')
  return () => {
    const kinds = spend.mock.calls.map(([, limit]) => limit)
    spend.mockRestore()
    return kinds.filter((limit) => limit === 'read' || limit === 'write').length
  }
}

it.each(inputs)('%s as input gets 400 over HTTP, alone and in a batch, and is counted', async (_name, input, says) => {
  const count = countCalls()
  // `auth.logout` has no input, but rejects this one too.
  for (const path of ['auth.logout', 'trading.buy']) {
    const alone = await post(`/trpc/${path}`, input)
    expect([alone.statusCode, alone.body]).toEqual([400, expect.stringContaining(says)])
  }
  const batch = (await post('/trpc/auth.logout,auth.logout?batch=1', `{"0":${input}}`)).json()
  expect(batch).toHaveLength(2)
  expect(JSON.stringify(batch[0])).toContain(says)
  // The batch's other call gets its response if the body itself could be read.
  expect(batch[1].error === undefined).toBe(says !== OVERSIZED)
  expect(count()).toBe(4)
})

it.each(inputs)('%s as input gets 400 over a socket, which stays open, and is counted', async (_name, input, says) => {
  const socket = await openSocket(url)
  const count = countCalls()
  for (const [method, path] of [
    ['mutation', 'auth.logout'],
    ['query', 'auth.me'],
    ['subscription', 'live.market'],
  ]) {
    socket.socket.send(`{"id":1,"method":"${method}","params":{"path":"${path}","input":${input}}}`)
    expect(JSON.stringify(await socket.next())).toContain(says)
  }
  // A long message counts as more than one read.
  expect(count()).toBeGreaterThanOrEqual(3)
  socket.send({ id: 2, method: 'query', params: { path: 'auth.me' } })
  expect(await socket.next()).toMatchObject({ id: 2, result: { type: 'data' } })
  socket.socket.close()
})

it.each(oversized)('a body with %s is rejected over REST, and counted', async (_name, input) => {
  const count = countCalls()
  const { statusCode, body } = await post('/api/auth/login', input)
  expect([statusCode, body]).toEqual([400, OVERSIZED])
  expect(count()).toBe(1)
})

it('a typed array has no effect in connection parameters, which are never read', async () => {
  const socket = await openSocket(`${url}?connectionParams=1`)
  socket.socket.send(`{"method":"connectionParams","data":${TYPED_ARRAY}}`)
  const { error } = Object(await socket.next())
  expect(error.json.data.httpStatus).toBe(400)
})

it('a call past the limit is rejected before its input is decoded, over every transport', async () => {
  const theirs = { 'x-forwarded-for': '203.0.113.1' }
  const get = () => server.visitor().get(`/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`, theirs)
  const socket = await openSocket(url, theirs)
  const first = await get()
  expect([first.statusCode, first.headers['ratelimit-remaining']]).toEqual([400, '1199'])
  const caller = { ip: '203.0.113.1', header: () => {} }
  for (const limit of ['read', 'write'] as const) {
    await server.app.accounts.limits.spend(caller, limit, 1_200).catch(() => {})
  }
  const answers = [
    await get(),
    await post('/trpc/auth.logout', TYPED_ARRAY, theirs),
    await post('/trpc/auth.logout?batch=1', `{"0":${TYPED_ARRAY}}`, theirs),
  ]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429])
  socket.socket.send(`{"id":1,"method":"query","params":{"path":"auth.me","input":${TYPED_ARRAY}}}`)
  expect(await socket.next()).toMatchObject({ error: { json: { data: { httpStatus: 429 } } } })
  socket.socket.close()
})
