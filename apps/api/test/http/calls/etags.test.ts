import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player('tagged')
const id = await player.launch({ initialBuyAmount: '1', description: 'x'.repeat(400) })
const key: string = (await player.post('/api/keys', { name: 'reader', scopes: ['read'] })).json().key

const READS = [
  () => '/api/tokens',
  () => `/api/tokens/${id}`,
  () => `/api/tokens/${id}/trades`,
  () => `/api/tokens/${id}/holders`,
  () => `/api/charts/${id}?timeframe=1H`,
  () => '/api/leaderboard',
] as const

describe('the ETag of a public read', () => {
  it.each(READS.map((read) => [read]))('gets 304 until something changes: %s', async (read) => {
    const url = read()
    const first = await server.visitor().get(url)
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    // With a key the route builds the response, and without one it comes from the response cache.
    const withKey = { authorization: `Bearer ${key}` }
    for (const more of [undefined, withKey, undefined]) {
      const headers: Record<string, string> = { 'if-none-match': etag, ...more }
      const again = await server.visitor().get(url, headers)
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers).not.toHaveProperty('content-type')
    }
    const whole = await server.visitor().get(url, { 'if-none-match': 'W/"another", "others"' })
    expect([whole.statusCode, whole.body]).toEqual([200, first.body])
  })

  it('differs by encoding, is compared weakly, and can be one of several', async () => {
    const url = '/api/tokens'
    for (let n = 0; n < 6; n++) await player.post('/api/tokens/launch', { name: `More ${n}`, symbol: 'MORE' })
    const plain = await server.visitor().get(url)
    const packed = await server.visitor().get(url, { 'accept-encoding': 'br' })
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    const strong = String(plain.headers.etag).slice(2)
    for (const condition of [strong, `"x", ${strong}`, '*']) {
      expect((await server.visitor().get(url, { 'if-none-match': condition })).statusCode).toBe(304)
    }
    const other = await server.visitor().get(url, { 'if-none-match': String(packed.headers.etag) })
    expect(other.statusCode).toBe(200)
  })

  it('keeps the connection usable: a 304 has no body, and the next request gets its response', async () => {
    const port = await server.listen()
    const { Agent } = await import('node:http')
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (headers: Record<string, string>) =>
      new Promise<[number | undefined, string]>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path: `/api/tokens/${id}`, agent, headers }, (answer) => {
          let body = ''
          answer.setEncoding('utf8').on('data', (part: string) => (body += part))
          answer.on('end', () => resolve([answer.statusCode, body || String(answer.headers.etag)]))
        })
        sent.on('error', reject).end()
      })
    const [, text] = await ask({})
    const [, etag] = await ask({ 'if-none-match': '*' })
    expect(JSON.parse(text)).toMatchObject({ id })
    expect(await ask({ 'if-none-match': etag })).toEqual([304, etag])
    expect(await ask({})).toEqual([200, text])
    agent.destroy()
  })

  it.each(['/api/orders', '/api/auth/user', '/api/trades'])(
    'is missing if responses are not shared: %s',
    async (url) => {
      const answer = await player.get(url)
      expect([answer.statusCode, answer.headers.etag]).toEqual([200, undefined])
    },
  )
})
