import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { RateLimitedError } from '../../../src/errors.ts'
import { PageCache } from '../../../src/http/pages/page-cache.ts'
import { noRateLimits } from '../../../src/security/rate-limits.ts'
import { createTestServer, openSocket, type TestServer, type Visitor } from '../../support/test-server.ts'

const INDEX = fileURLToPath(new URL('../../../../web/index.html', import.meta.url))
const BROTLI = { 'accept-encoding': 'br' }
const MEBIBYTE = 1_048_576

const servers: TestServer[] = []
const root = await mkdtemp(join(tmpdir(), 'papermoon-hosts-'))
await cp(INDEX, join(root, 'index.html'))
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  for (const server of servers) await server.close()
  await rm(root, { recursive: true })
})

async function start(env: Record<string, string> = {}): Promise<{ server: TestServer; player: Visitor; id: number }> {
  const server = await createTestServer({ hasJobs: false, webRoot: root, env })
  servers.push(server)
  const player = await server.player()
  return { server, player, id: await player.launch() }
}

/** The gauges of the page cache. */
async function held(server: TestServer): Promise<{ origins: number; pages: number; bytes: number; packed: number }> {
  const text = await server.app.platform.metrics.metrics()
  const value = (name: string) => Number(new RegExp(`^papermoon_${name} (\\d+)$`, 'm').exec(text)?.[1])
  return {
    origins: value('page_cache_origins'),
    pages: value('page_cache_pages'),
    bytes: value('page_cache_bytes'),
    packed: value('pages_packed_total'),
  }
}

const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]

describe('pages asked for under hundreds of made-up hosts', () => {
  it('are cached for eight of them, and correct for all', async () => {
    const { server, id } = await start()
    const paths = ['/', '/docs', '/launch', '/leaderboard', `/token/${id}`, '/user/1', '/nothing', '/token/999999999']
    const headers = { accept: 'text/html', 'accept-encoding': 'br, gzip' }
    for (let host = 0; host < 200; host++) {
      const path = paths[host % paths.length] ?? '/'
      const answer = await server.visitor().get(path, { ...headers, host: `host-${host}.example` })
      const coding = answer.headers['content-encoding']
      const html = coding === 'br' ? String(brotliDecompressSync(answer.rawPayload)) : answer.body
      if (answer.statusCode === 200) expect(canonical(html)).toBe(`http://host-${host}.example${path}`)
      else expect(html).not.toContain(`host-${host}`)
    }
    const { origins, pages, bytes, packed } = await held(server)
    expect(origins).toBe(8)
    // One page for each of eight hosts, and the three pages for not found, which all hosts share.
    expect(pages).toBeLessThanOrEqual(8 + 3)
    expect(packed).toBe(pages)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(MEBIBYTE)
    expect(server.logs.filter(({ msg }) => msg?.includes('ALLOWED_HOSTS'))).toHaveLength(1)
  })

  it('never evict a host in use, but an idle one', async () => {
    const { server } = await start()
    const coding = async (host: string) =>
      (await server.visitor().get('/docs', { ...BROTLI, host })).headers['content-encoding']
    for (let host = 0; host < 8; host++) expect(await coding(`first-${host}.example`)).toBe('br')
    expect(await coding('ninth.example')).toBeUndefined()
    server.passTime(40_000)
    expect(await coding('first-0.example')).toBe('br')
    server.passTime(40_000)
    expect(await coding('ninth.example')).toBe('br')
    const before = await held(server)
    expect(await coding('first-0.example')).toBe('br')
    expect(await held(server)).toEqual(before)
    expect(before).toMatchObject({ origins: 8, pages: 8, packed: 9 })
  })

  it('for not found are compressed once for all hosts', async () => {
    const { server } = await start()
    const bodies = new Set<string>()
    for (let host = 0; host < 50; host++) {
      const headers = { ...BROTLI, accept: 'text/html', host: `host-${host}.example` }
      for (const path of ['/nothing', '/token/999999999', '/user/2000000000']) {
        const answer = await server.visitor().get(path, headers)
        expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([404, 'br'])
        bodies.add(answer.rawPayload.toString('base64'))
      }
    }
    expect(bodies.size).toBe(3)
    expect(await held(server)).toMatchObject({ origins: 0, pages: 3, packed: 3 })
  })

  it('are cached in their latest version only', async () => {
    const { server, player, id } = await start()
    for (let trade = 0; trade < 20; trade++) {
      for (const coding of ['br', 'gzip']) await player.get(`/token/${id}`, { 'accept-encoding': coding })
      await player.post('/api/tokens/buy', { tokenId: id, solAmount: '0.01' })
    }
    expect(await held(server)).toMatchObject({ origins: 1, pages: 2, packed: 40 })
  })
})

describe('the cache of pages', () => {
  it('stays within 64 MB', async () => {
    const metrics = new Registry()
    const noise = randomBytes(3 * MEBIBYTE).toString('base64')
    const clock = { now: () => new Date(0) }
    const cache = new PageCache(
      { platform: { clock, log: pino({ level: 'silent' }), metrics }, accounts: { limits: noRateLimits } },
      () => noise,
    )
    for (let id = 0; id < 22; id++) {
      const head = { title: 'Noise', description: '', path: `/token/${id}`, image: '', imageAlt: '' }
      await cache.get({ head, origin: 'http://a.example', effort: 'quick', encoding: 'gzip', ip: '127.0.0.1' })
    }
    const { values } = (await metrics.getSingleMetric('papermoon_page_cache_bytes')?.get()) ?? { values: [] }
    expect(values[0]?.value).toBeGreaterThan(56 * MEBIBYTE)
    expect(values[0]?.value).toBeLessThanOrEqual(64 * MEBIBYTE)
  })
})

describe('compressing a page', () => {
  it('counts against the caller’s reads, and only the first time', async () => {
    const { server } = await start()
    const spend = vi.spyOn(server.app.accounts.limits, 'spend')
    const measureCost = async (path: string, headers: Record<string, string>, times = 1) => {
      spend.mockClear()
      await Promise.all(Array.from({ length: times }, () => server.visitor().get(path, headers)))
      for (const [caller, limit] of spend.mock.calls) expect([caller.ip, limit]).toEqual(['127.0.0.1', 'read'])
      return spend.mock.calls.reduce((sum, [, , calls = 1]) => sum + calls, 0)
    }
    const first = await measureCost('/docs', { ...BROTLI, host: 'one.example' })
    expect(first).toBeGreaterThanOrEqual(5)
    expect(await measureCost('/docs', { ...BROTLI, host: 'one.example' })).toBe(0)
    expect(await measureCost('/docs', { 'accept-encoding': 'gzip', host: 'one.example' })).toBe(first)
    expect(await measureCost('/docs', { host: 'one.example' })).toBe(0)
    expect(await measureCost('/docs', { ...BROTLI, host: 'two.example' })).toBe(first)
    // Concurrent callers share the work; one of them pays.
    expect(await measureCost('/launch', { ...BROTLI, host: 'one.example' }, 20)).toBe(first)
  })

  it('is skipped for a caller without reads left, who gets the page uncompressed', async () => {
    const { server } = await start()
    vi.spyOn(server.app.accounts.limits, 'spend').mockRejectedValue(new RateLimitedError(7))
    const answer = await server.visitor().get('/docs', { ...BROTLI, host: 'one.example' })
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, undefined])
    expect(canonical(answer.body)).toBe('http://one.example/docs')
    expect((await held(server)).packed).toBe(0)
  })
})

describe('PUBLIC_URL', () => {
  it('is the origin of every page, compressed once, whatever Host says', async () => {
    const { server, id } = await start({ PUBLIC_URL: 'https://papermoon.example' })
    for (const path of ['/docs', `/token/${id}`]) {
      for (let host = 0; host < 20; host++) {
        const answer = await server.visitor().get(path, { 'accept-encoding': 'gzip', host: `host-${host}.example` })
        const html = String(gunzipSync(answer.rawPayload))
        expect(canonical(html)).toBe(`https://papermoon.example${path}`)
        expect(html).not.toContain(`host-${host}`)
      }
    }
    expect(await held(server)).toMatchObject({ origins: 1, pages: 2, packed: 2 })
  })
})

describe('ALLOWED_HOSTS', () => {
  it('refuses every other host with a sentence, by every transport', async () => {
    const { server, id } = await start({ ALLOWED_HOSTS: 'Papermoon.example, localhost:80,[::1]' })
    const port = await server.listen()
    const foreign = [
      'evil.example',
      'localhost:81',
      'papermoon.example.evil.example',
      'x.papermoon.example',
      '127.0.0.1',
    ]
    for (const host of foreign) {
      for (const path of ['/', `/token/${id}`, '/api/tokens', '/og/home.png', '/nothing']) {
        const answer = await server.visitor().get(path, { host })
        expect([host, path, answer.statusCode, answer.body]).toEqual([
          host,
          path,
          421,
          'This server does not serve the host that was asked for.',
        ])
      }
      const call = await server.visitor().get('/trpc/site.settings', { host })
      expect(call.json().error.json.data.reason).toBe('FOREIGN_HOST')
      const write = await server.visitor().post('/api/auth/logout', {}, { host })
      expect(write.statusCode).toBe(421)
    }
    for (const socket of ['/ws', '/trpc'])
      await expect(openSocket(`ws://127.0.0.1:${port}${socket}`)).rejects.toThrow('421')
    const problem = await server.visitor().get('/api/tokens', { host: 'evil.example', accept: 'application/json' })
    expect(problem.json()).toMatchObject({ status: 421, code: 'FOREIGN_HOST' })
  })

  it('allows the listed hosts, without a port on any port', async () => {
    const { server } = await start({ ALLOWED_HOSTS: 'Papermoon.example, localhost:80,[::1]' })
    for (const host of ['papermoon.example', 'PAPERMOON.example:8080', 'localhost:80', '[::1]:3000', '[::1]']) {
      const answer = await server.visitor().get('/docs', { host })
      expect([host, answer.statusCode]).toEqual([host, 200])
    }
  })

  it('lets probes use any host', async () => {
    const { server } = await start({ ALLOWED_HOSTS: 'papermoon.example,localhost' })
    for (const path of ['/healthz', '/readyz', '/healthz?x'])
      expect((await server.visitor().get(path, { host: '10.0.0.7:3000' })).statusCode).toBe(200)
    expect((await server.visitor().get('/healthz/../api/tokens', { host: '10.0.0.7' })).statusCode).toBe(421)
  })

  it('checks the host that a trusted proxy forwards', async () => {
    const { server } = await start({ ALLOWED_HOSTS: 'papermoon.example,localhost', TRUST_PROXY: 'loopback' })
    const statusFor = async (headers: Record<string, string>) =>
      (await server.visitor().get('/docs', headers)).statusCode
    expect(await statusFor({ host: 'backend:3000', 'x-forwarded-host': 'papermoon.example' })).toBe(200)
    expect(await statusFor({ host: 'papermoon.example', 'x-forwarded-host': 'evil.example' })).toBe(421)
    const { body } = await server
      .visitor()
      .get('/docs', { host: 'backend:3000', 'x-forwarded-host': 'papermoon.example' })
    expect(body).not.toContain('backend')
  })
})
