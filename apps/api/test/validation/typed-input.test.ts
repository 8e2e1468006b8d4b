import { describe, expect, it } from 'vitest'
import { createTestServer, openSocket, shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer()
const url = `ws://127.0.0.1:${await server.listen()}/trpc`

/** JSON texts that cost far more to decode than their size; `plain-input.test.ts` has the others. */
const gadgets: Record<string, string> = {
  'a typed array': '{"json":{"length":1000000},"meta":{"values":[["typed-array","Uint8Array"]]}}',
  'a big number': `{"json":"${'9'.repeat(20_000)}","meta":{"values":["bigint"]}}`,
}
const TYPED_ARRAY = gadgets['a typed array'] ?? ''
const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(Object.entries(gadgets))('%s as input', (_name, input) => {
  it('is 400 by POST, even for a procedure without input', async () => {
    for (const path of ['auth.logout', 'trading.buy']) {
      const answer = await server.visitor().raw('POST', `/trpc/${path}`, input, JSON_TYPE)
      expect([answer.statusCode, answer.json().error.json.data.reason]).toEqual([400, 'BAD_INPUT'])
    }
  })

  it('is 400 in a batch, whose other calls are answered', async () => {
    const answer = await server
      .visitor()
      .raw('POST', '/trpc/auth.logout,auth.logout?batch=1', `{"0":${input}}`, JSON_TYPE)
    expect(answer.json().map((part: { error?: unknown }) => part.error !== undefined)).toEqual([true, false])
    expect(answer.json()[0].error.json.data).toMatchObject({ httpStatus: 400, reason: 'BAD_INPUT' })
  })

  it('is 400 over a socket, which stays open', async () => {
    const socket = await openSocket(url)
    for (const [method, path] of [
      ['mutation', 'auth.logout'],
      ['query', 'auth.me'],
      ['subscription', 'live.market'],
    ]) {
      socket.socket.send(`{"id":1,"method":"${method}","params":{"path":"${path}","input":${input}}}`)
      const { error } = Object(await socket.next())
      expect(error.json.data).toMatchObject({ httpStatus: 400, reason: 'BAD_INPUT', path })
    }
    socket.send({ id: 2, method: 'query', params: { path: 'auth.me' } })
    expect(await socket.next()).toMatchObject({ id: 2, result: { type: 'data' } })
    socket.socket.close()
  })
})

it.each(Object.entries(gadgets).filter(([, input]) => input.length < 1_000))(
  '%s is 400 by GET, alone and in a batch',
  async (_name, input) => {
    const alone = await server.visitor().get(`/trpc/auth.me?input=${encodeURIComponent(input)}`)
    const batch = await server
      .visitor()
      .get(`/trpc/auth.me,auth.me?batch=1&input=${encodeURIComponent(`{"1":${input}}`)}`)
    expect([alone.statusCode, batch.statusCode]).toEqual([400, 207])
    expect(batch.json()[1].error.json.data.reason).toBe('BAD_INPUT')
  },
)

it('has no effect in connection parameters, which are never read', async () => {
  const socket = await openSocket(`${url}?connectionParams=1`)
  socket.socket.send(`{"method":"connectionParams","data":${TYPED_ARRAY}}`)
  const { error } = Object(await socket.next())
  expect(error.json.data.httpStatus).toBe(400)
})

describe('the count of a call', () => {
  it('comes before decoding its input, over every transport', async () => {
    const limited = await createTestServer({ env: { RATE_LIMIT: 'on' } })
    try {
      const port = await limited.listen()
      const caller = { ip: '127.0.0.1', header: () => {} }
      const first = await limited.visitor().get(`/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`)
      expect([first.statusCode, first.headers['ratelimit-remaining']]).toEqual([400, '1199'])
      for (const limit of ['read', 'write'] as const) {
        await limited.app.accounts.limits.spend(caller, limit, 1_200).catch(() => {})
      }
      const answers = [
        await limited.visitor().get(`/trpc/auth.me?input=${encodeURIComponent(TYPED_ARRAY)}`),
        await limited.visitor().raw('POST', '/trpc/auth.logout', TYPED_ARRAY, JSON_TYPE),
        await limited.visitor().raw('POST', '/trpc/auth.logout?batch=1', `{"0":${TYPED_ARRAY}}`, JSON_TYPE),
      ]
      expect(answers.map((answer) => answer.statusCode)).toEqual([429, 429, 429])
      const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`)
      socket.socket.send(`{"id":1,"method":"query","params":{"path":"auth.me","input":${TYPED_ARRAY}}}`)
      expect(await socket.next()).toMatchObject({ error: { json: { data: { httpStatus: 429 } } } })
      socket.socket.close()
    } finally {
      await limited.close()
    }
  })
})
