import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, openSocket, registration, type TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
  await server.player('mia')
})
afterAll(() => server?.close())

const { email } = registration('mia')
const HIDDEN = { message: 'This server can send no reset codes. Please ask its operator.', isUnavailable: true }
const SHOWN = {
  message: 'Use this code within 15 minutes to set a new password.',
  resetToken: expect.stringMatching(/^\d{6}$/),
}

interface Asked {
  readonly remoteAddress?: string
  readonly headers?: Record<string, string>
  readonly url?: string
}

async function ask(of: TestServer, { url = '/api/auth/forgot-password', headers, remoteAddress }: Asked) {
  return await of.visitor().send({
    method: 'POST',
    url,
    payload: JSON.stringify(url.startsWith('/trpc') ? { json: { email } } : { email }),
    headers: { 'content-type': 'application/json', ...headers },
    ...(remoteAddress !== undefined && { remoteAddress }),
  })
}

describe('without SMTP_URL, PUBLIC_URL and TRUST_PROXY, a reset code', () => {
  it.each<Asked>([
    {},
    { headers: { host: 'localhost:3000' } },
    { headers: { host: '127.0.0.1:3000' } },
    { remoteAddress: '::1', headers: { host: '[::1]:3000' } },
    { remoteAddress: '::ffff:127.0.0.1', headers: { host: 'localhost' } },
  ])('is shown to this machine: %j', async (asked) => {
    expect((await ask(server, asked)).json()).toEqual(SHOWN)
  })

  it.each<Asked>([
    { headers: { host: 'moon.example' } },
    { headers: { host: 'localhost.evil.example:3000' } },
    { headers: { host: '127.0.0.1.evil.example' } },
    { headers: { host: 'localhost', 'x-forwarded-for': '203.0.113.7' } },
    { headers: { host: 'localhost', 'x-forwarded-for': '127.0.0.1' } },
    { headers: { host: 'localhost', 'x-forwarded-host': 'moon.example' } },
    { headers: { host: 'localhost', 'x-forwarded-proto': 'https' } },
    { headers: { host: 'localhost', forwarded: 'for=127.0.0.1' } },
    { headers: { host: 'localhost', via: '1.1 proxy' } },
    { headers: { host: 'localhost', 'x-real-ip': '127.0.0.1' } },
    { headers: { host: 'localhost', 'cf-connecting-ip': '127.0.0.1' } },
    { headers: { host: 'localhost', 'x-client-ip': '127.0.0.1' } },
    { remoteAddress: '192.0.2.7', headers: { host: 'localhost' } },
  ])('is shown to nobody else, over no transport: %j', async (asked) => {
    const overRest = await ask(server, asked)
    expect([overRest.statusCode, overRest.json()]).toEqual([200, HIDDEN])
    const overTrpc = await ask(server, { ...asked, url: '/trpc/auth.forgotPassword' })
    expect(overTrpc.json().result.data.json).toEqual(HIDDEN)
  })

  it('is not sent over a WebSocket, through a proxy or not', async () => {
    const port = await server.listen()
    const openings: Record<string, string>[] = [{}, { 'x-forwarded-for': '203.0.113.7' }]
    for (const headers of openings) {
      const socket = await openSocket(`ws://127.0.0.1:${port}/trpc`, headers)
      socket.send({ id: 1, method: 'mutation', params: { path: 'auth.forgotPassword', input: { json: { email } } } })
      expect(await socket.next()).toMatchObject({ error: { json: { data: { reason: 'BAD_INPUT' } } } })
      socket.socket.close()
    }
  })
})

describe('SHOW_RESET_CODES', () => {
  it.each([
    ['on', SHOWN, SHOWN],
    ['off', HIDDEN, HIDDEN],
  ])('%s decides for everybody', async (setting, here, elsewhere) => {
    const other = await createTestServer({ env: { SHOW_RESET_CODES: setting } })
    await other.player('mia')
    expect((await ask(other, {})).json()).toEqual(here)
    expect((await ask(other, { headers: { host: 'moon.example', via: '1.1 proxy' } })).json()).toEqual(elsewhere)
    await other.close()
  })

  it('unset shows no code even locally where the server is public', async () => {
    const settings: Record<string, string>[] = [
      { HOST: '0.0.0.0' },
      { PUBLIC_URL: 'https://moon.example' },
      { TRUST_PROXY: '127.0.0.1' },
    ]
    for (const env of settings) {
      const other = await createTestServer({ env })
      await other.player('mia')
      expect((await ask(other, {})).json()).toEqual(HIDDEN)
      await other.close()
    }
  })
})
