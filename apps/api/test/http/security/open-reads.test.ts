import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { restRoutes } from '../../../src/http/rest/routes.ts'
import { shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player()
await player.launch()

const origin = 'https://statistics.example'
const reads = restRoutes.filter(({ method }) => method === 'GET')
const toUrl = (path: string) => path.replaceAll(/\{\w+\}/g, '1')
// Whether a route is public depends on its access alone (rest/mount.ts), so every sixth route is enough.
const open = [
  ...reads.flatMap(({ access, path }, place) => (access === 'anyone' && place % 6 === 0 ? [toUrl(path)] : [])),
  '/api/openapi.json',
  '/objects/pictures/none.webp',
]
const closed = reads.filter(({ access }) => access === 'player').map(({ path }) => toUrl(path))

const preflight = (url: string, method: string, headers = 'cache-control, last-event-id') =>
  server.visitor().send({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': headers,
    },
  })
const readsFor = (answer: LightMyRequestResponse) => [
  answer.headers['access-control-allow-origin'],
  answer.headers['access-control-allow-credentials'],
]

describe('a public read', () => {
  it.each(open)('can be read by pages of every origin: %s', async (url) => {
    const answers = [
      await server.visitor().get(url, { origin }),
      await server.visitor().get(url),
      await player.get(url, { origin: 'null' }),
      await server.visitor().send({ method: 'HEAD', url, headers: { origin } }),
    ]
    for (const answer of answers) {
      expect(readsFor(answer)).toEqual(['*', undefined])
      expect(answer.headers['access-control-expose-headers']).toContain('Link')
    }
  })

  it.each(open.filter((url) => url.startsWith('/api/')))('responds to a preflight: %s', async (url) => {
    const leave = await preflight(url, 'GET')
    expect([leave.statusCode, ...readsFor(leave)]).toEqual([204, '*', undefined])
    expect(leave.headers['access-control-allow-methods']).toBe('GET, HEAD')
    expect(leave.headers['access-control-allow-headers']).toContain('last-event-id')
  })

  it('can be read even if it is an error', async () => {
    const answer = await server.visitor().get('/api/tokens/999999', { origin })
    expect([answer.statusCode, ...readsFor(answer)]).toEqual([404, '*', undefined])
  })

  it('does not allow writes', async () => {
    for (const url of ['/api/tokens', '/api/tokens/launch', '/api/auth/logout']) {
      expect(readsFor(await preflight(url, 'POST', 'content-type'))).toEqual([undefined, undefined])
      const write = await player.post(url, {}, { origin })
      expect([write.statusCode, ...readsFor(write)]).toEqual([403, undefined, undefined])
    }
  })
})

describe('the data of an account', () => {
  it.each(closed)('cannot be read by a page of another site: %s', async (url) => {
    expect(readsFor(await player.get(url, { origin }))).toEqual([undefined, undefined])
    expect(readsFor(await preflight(url, 'GET'))).toEqual([undefined, undefined])
  })

  it('can be read across origins with a key', async () => {
    const leave = await preflight('/api/auth/user', 'GET', 'authorization')
    expect([leave.statusCode, ...readsFor(leave)]).toEqual([204, '*', undefined])
  })
})
