import { once } from 'node:events'
import { get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { HSTS } from '../../../src/http/create-fastify.ts'
import { openMetricsPort } from '../../../src/http/metrics.ts'
import { createTestServer, type TestServer } from '../../support/test-server.ts'

const server = await createTestServer({ hasJobs: false })
const published = await createTestServer({
  hasJobs: false,
  env: { PUBLIC_URL: 'https://moon.example', TRUST_PROXY: 'loopback', METRICS_TOKEN: 'prometheus-knows-this' },
})
const publishedPort = await published.listen()
afterAll(async () => {
  await server.close()
  await published.close()
})

describe('headers', () => {
  it('do not upgrade to TLS on plain HTTP', async () => {
    const { headers } = await server.visitor().get('/healthz')
    expect(headers['strict-transport-security']).toBeUndefined()
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
    const secure = await published.visitor().get('/healthz')
    expect(secure.headers['strict-transport-security']).toBeDefined()
  })

  it.each(['/api', '/api/tokens', '/api/nothing', '/trpc/tokens.list'])(
    'of data are few, and do not let it run as a page: %s',
    async (path) => {
      const { headers } = await published.visitor().get(path)
      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none';object-src 'none';base-uri 'none';frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      expect(headers['strict-transport-security']).toBeDefined()
      expect(Object.entries(headers).join().length).toBeLessThan(790)
    },
  )

  it.each([
    ['an invalid URL', 400, 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close'],
    ['bytes that are not a request', 400, 'nonsense'],
    ['a request without a host', 400, 'GET / HTTP/1.1\r\nConnection: close'],
    ['an expectation', 200, 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close'],
    ['half a handshake', 400, 'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade'],
  ])('of answers before any route have a policy, and say to use TLS where players do: %s', async (_, status, head) => {
    const socket = connect(publishedPort, '127.0.0.1')
    socket.write(`${head}\r\n\r\n`)
    const answer = await text(socket)
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*strict-transport-security: ${HSTS}`, 'i'))
    expect(answer).toMatch(/^content-security-policy: .*object-src 'none';.*base-uri 'none';/im)
    expect(answer).toMatch(/^content-type: text\/plain/im)
  })

  it('are sent with 400 for a request without a host, even if the host "undefined" is in the cache', async () => {
    await published.visitor().get('/api/tokens', { host: 'undefined' })
    const socket = connect(publishedPort, '127.0.0.1')
    socket.write('GET /api/tokens HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /)
  })

  it('are sent with 400 for a Host that cannot exist', async () => {
    for (const path of ['/', '/api/asyncapi.json', '/api/auth/passkey/options']) {
      const method = path.endsWith('options') ? 'POST' : 'GET'
      const answer = await server.visitor().send({ method, url: path, headers: { host: 'localhost:99999' } })
      expect([path, answer.statusCode, answer.body]).toEqual([path, 400, 'The Host header names no host.'])
    }
  })

  it('contain the Host only if it is valid', async () => {
    const { headers } = await server.visitor().get('/healthz', { host: "x; script-src 'unsafe-inline'" })
    expect(headers['content-security-policy']).not.toContain('script-src')
  })
})

describe('/metrics', () => {
  it('counts requests by route, never by URL', async () => {
    await server.visitor().get('/api/tokens/12345')
    const text = await server.app.platform.metrics.metrics()
    expect(text).toContain('route="/api/tokens/:id"')
    expect(text).not.toContain('12345')
  })

  const requestStatus = async (of: TestServer, options: { remoteAddress?: string; headers?: Record<string, string> }) =>
    (await of.fastify.inject({ url: '/metrics', ...options })).statusCode

  it.each<{ remoteAddress?: string; headers?: Record<string, string> }>([
    {},
    { remoteAddress: '127.0.0.1', headers: { host: 'localhost:3000' } },
    { remoteAddress: '::1', headers: { host: '[::1]:3000' } },
    { headers: { authorization: 'Bearer guessed' } },
  ])('is a 404 without a token, however local a call looks: %j', async (options) => {
    expect([await requestStatus(server, options), await requestStatus(published, options)]).toEqual([404, 404])
  })

  it('is served with METRICS_TOKEN', async () => {
    const withToken = (token: string) => requestStatus(published, { headers: { authorization: `Bearer ${token}` } })
    const statuses = [await withToken('prometheus-knows-this'), await withToken('another'), await withToken('')]
    expect(statuses).toEqual([200, 404, 404])
  })

  it('is on its own port, for this machine’s host names', async () => {
    const { address, close } = await openMetricsPort(() => server.app.platform.metrics.metrics())
    try {
      expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
      expect(await (await fetch(address)).text()).toContain('papermoon_http_request_duration_seconds')
      expect(await readStatus(address, { host: 'rebound.example' })).toBe(404)
    } finally {
      await close()
    }
  })
})

async function readStatus(address: string, headers: Record<string, string>): Promise<number | undefined> {
  const [response] = await once(get(address, { headers }), 'response')
  return response.resume().statusCode
}
