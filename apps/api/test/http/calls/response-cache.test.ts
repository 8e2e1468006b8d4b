import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { CachedQuery } from '../../../src/cache/query-cache.ts'
import { ResponseCache } from '../../../src/http/calls/response-cache.ts'
import { createTestServer, shareTestServer } from '../../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player('rememberer')
const id = await player.launch()
const url = `http://127.0.0.1:${await server.listen()}`

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}${path}`, { headers })
const fetchText = async (path: string) => await (await get(path)).text()
const fetchHeaders = async (path: string, headers?: Record<string, string>) => {
  const { date: _, ...said } = Object.fromEntries((await get(path, headers)).headers)
  return said
}

/** Returns the number of a route's responses with status 200, from the metrics. */
async function countAnswers(route: string): Promise<number> {
  const text = await server.app.platform.metrics.metrics()
  const labels = `method="GET",route="${route}",status="200"`
  const line = text
    .split('\n')
    .find((one) => one.startsWith(`papermoon_http_request_duration_seconds_count{${labels}}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

const big: CachedQuery<null, { text: string }> = {
  name: 'big',
  schema: z.object({ text: z.string() }),
  key: () => '',
  weight: () => 1,
  scope: () => null,
  isFresh: () => true,
  applyEvents: (data) => ({ data, stale: false }),
}

describe('a cached response', () => {
  it('is replaced after a trade, for every cached query', async () => {
    const addresses = [
      `/api/tokens/${id}`,
      `/api/tokens/${id}/trades`,
      `/api/tokens/${id}/holders`,
      `/api/charts/${id}?timeframe=1H`,
      '/api/tokens',
      '/api/tokens?sort=mcap-high&limit=5',
    ]
    for (let round = 1; round <= 3; round++) {
      const before = await Promise.all(addresses.map(fetchText))
      expect(await Promise.all(addresses.map(fetchText))).toEqual(before)
      await player.post('/api/tokens/buy', { tokenId: id, solAmount: '0.5' })
      const after = await Promise.all(addresses.map(fetchText))
      for (const [index, body] of after.entries()) expect(body).not.toBe(before[index])
      expect(JSON.parse(after[0] ?? '')).toMatchObject({ seq: round, totalTrades: round })
    }
  })

  it('is counted in the metrics', async () => {
    const route = '/api/users/:id/profile'
    const address = `/api/users/${await player.id()}/profile`
    const before = await countAnswers(route)
    for (let time = 0; time < 5; time++) await fetchText(address)
    await expect.poll(() => countAnswers(route)).toBe(before + 5)
  })

  it('has the same headers, in the encoding that the client accepts', async () => {
    for (let launched = 0; launched < 8; launched++) await player.launch({ description: 'x'.repeat(300) })
    const plain = { 'accept-encoding': 'identity' }
    const [first, second] = [
      await fetchHeaders('/api/tokens?limit=5', plain),
      await fetchHeaders('/api/tokens?limit=5', plain),
    ]
    expect(second).toEqual({ ...first, 'x-request-id': second['x-request-id'] })
    expect(second['x-request-id']).not.toBe(first['x-request-id'])
    expect(first).toMatchObject({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
    expect(first).toHaveProperty('content-security-policy')
    expect(first).toHaveProperty('link')
    const gzip = { 'accept-encoding': 'gzip' }
    const [packed, again] = [
      await fetchHeaders('/api/tokens?limit=5', gzip),
      await fetchHeaders('/api/tokens?limit=5', gzip),
    ]
    expect(packed['content-encoding']).toBe('gzip')
    expect(again).toEqual({ ...packed, 'x-request-id': again['x-request-id'] })
    expect(await (await get('/api/tokens?limit=5', gzip)).json()).toEqual(
      await (await get('/api/tokens?limit=5', plain)).json(),
    )
  })

  it('is evicted if too many different URLs are requested', async () => {
    const answers = new ResponseCache(server.app)
    const output = await server.app.market.queryCache.get(big, null, async () => ({ text: 'x'.repeat(1_000_000) }))
    const ask = (place: number) => ({ method: 'GET', url: `/api/tokens?${place}`, headers: { host: 'a' } })
    for (let place = 0; place < 200; place++) {
      const raw = ask(place)
      const request = { ...raw, raw, routeOptions: { url: '/api/tokens' } } as never
      const reply = { getHeaders: () => ({}), hasHeader: () => false } as never
      answers.store({ request, reply, output, reads: 1, body: output.text })
    }
    const kept = Array.from({ length: 200 }, (_, place) => answers.find(ask(place) as never)).filter(
      (one) => one !== null,
    )
    expect(kept.length).toBeGreaterThan(30)
    expect(kept.length).toBeLessThan(68)
  })

  it('is never one that was made for a key', async () => {
    const answers = new ResponseCache(server.app)
    const output = await server.app.market.queryCache.get(big, null, async () => ({ text: 'mine' }))
    const raw = { method: 'GET', url: '/api/tokens', headers: { host: 'a' } }
    const reply = { getHeaders: () => ({}), hasHeader: () => false } as never
    const store = (more: object) => {
      const request = { ...raw, headers: { ...raw.headers, ...more }, raw, routeOptions: { url: raw.url } } as never
      answers.store({ request, reply, output, reads: 1, body: output.text })
      return answers.find(raw as never)
    }
    expect(store({ authorization: 'Bearer pm_mine' })).toBeNull()
    expect(store({})).not.toBeNull()
  })

  it('is not sent to a client with an invalid key', async () => {
    await fetchText(`/api/tokens/${id}`)
    expect((await get(`/api/tokens/${id}`, { authorization: 'Bearer pm_none' })).status).toBe(401)
  })

  it('is never an error', async () => {
    for (let time = 0; time < 2; time++) expect((await get('/api/tokens/999999')).status).toBe(404)
    for (let time = 0; time < 2; time++) expect((await get('/api/tokens?limit=0')).status).toBe(400)
  })

  it('counts against the limit of the client that a trusted proxy names, like the first response', async () => {
    const limited = await createTestServer({ hasJobs: false, env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
    try {
      const address = `http://127.0.0.1:${await limited.listen()}/api/tokens?limit=1000`
      const ask = (client: string) => fetch(address, { headers: { 'x-forwarded-for': client } })
      const left: number[] = []
      for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
        left.push(Number((await ask(client)).headers.get('ratelimit-remaining')))
      expect(left).toEqual([1_179, 1_158, 1_137, 1_179])
      const all = await Promise.all(Array.from({ length: 80 }, () => ask('192.0.2.1')))
      const refused = all.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await refused[0]?.text()).toContain('Too many')
      expect(refused[0]?.headers.has('content-security-policy')).toBe(true)
    } finally {
      await limited.close()
    }
  })
})
