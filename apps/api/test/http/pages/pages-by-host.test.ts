import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { RateLimitedError } from '../../../src/errors.ts'
import { PageCache, QUICK } from '../../../src/http/pages/page-cache.ts'
import type { PageHead } from '../../../src/http/pages/page-shell.ts'
import { noRateLimits } from '../../../src/security/rate-limits.ts'
import { createTestServer, openSocket, shareTestServer } from '../../support/test-server.ts'

const INDEX = fileURLToPath(new URL('../../../../web/index.html', import.meta.url))
const MEBIBYTE = 1_048_576

const root = await mkdtemp(join(tmpdir(), 'papermoon-hosts-'))
await cp(INDEX, join(root, 'index.html'))
afterEach(() => vi.restoreAllMocks())
afterAll(() => rm(root, { recursive: true }))

const head = { title: 'Docs', description: '', path: '/docs', image: '', imageAlt: '' }

/** Returns a cache of pages, and functions to fill and inspect it. */
function openCache(html = 'a page') {
  const metrics = new Registry()
  const spend = vi.fn(async (..._: unknown[]) => {})
  let nowMs = 0
  const cache = new PageCache(
    {
      platform: { clock: { now: () => new Date(nowMs) }, log: pino({ level: 'silent' }), metrics },
      accounts: { limits: { ...noRateLimits, spend } },
    },
    ({ title }) => title + html,
  )
  const read = async (name: string) =>
    (await metrics.getSingleMetric(`papermoon_${name}`)?.get())?.values[0]?.value ?? 0
  return {
    spend,
    passTime: (ms: number) => {
      nowMs += ms
    },
    /** Returns the page as the cache sends it. */
    get: async (host: string | null, page: Partial<PageHead> = {}, encoding: 'br' | 'gzip' | null = 'br') => {
      const origin = host === null ? null : `http://${host}.example`
      return await cache.get({ head: { ...head, ...page }, origin, effort: QUICK, encoding, ip: '127.0.0.1' })
    },
    hold: async () => ({
      origins: await read('page_cache_origins'),
      pages: await read('page_cache_pages'),
      bytes: await read('page_cache_bytes'),
      packed: await read('pages_packed_total'),
    }),
  }
}

const canonical = (html: string) => /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]

it('pages for many made-up hosts are cached for eight of them, and correct for all', async () => {
  const server = await createTestServer({ hasJobs: false, webRoot: root })
  const id = await (await server.player()).launch()
  const paths = ['/', '/docs', '/launch', '/leaderboard', `/token/${id}`, '/user/1', '/nothing', '/token/999999999']
  const headers = { accept: 'text/html', 'accept-encoding': 'br, gzip' }
  for (let host = 0; host < 60; host++) {
    const path = paths[host % paths.length] ?? '/'
    const answer = await server.visitor().get(path, { ...headers, host: `host-${host}.example` })
    const coding = answer.headers['content-encoding']
    const html = coding === 'br' ? String(brotliDecompressSync(answer.rawPayload)) : answer.body
    if (answer.statusCode === 200) expect(canonical(html)).toBe(`http://host-${host}.example${path}`)
    else expect(html).not.toContain(`host-${host}`)
  }
  // The cache contains one page for each of eight hosts, and three "not found" pages, which all hosts share.
  const text = await server.app.platform.metrics.metrics()
  expect(text).toMatch(/^papermoon_page_cache_origins 8$/m)
  expect(text).toMatch(/^papermoon_page_cache_pages ([89]|10|11)$/m)
  expect(server.logs.filter(({ msg }) => msg?.includes('ALLOWED_HOSTS'))).toHaveLength(1)
  // A document names the host of its request, even for more hosts than are cached.
  const others = Array.from({ length: 20 }, (_, host) => `host-${host}.test`)
  for (const host of ['moon.test:8080', ...others, 'moon.test:8080']) {
    const { http, websocket } = (await server.visitor().get('/api/asyncapi.json', { host })).json().servers
    expect([http.host, websocket.host]).toEqual([host, host])
  }
  await server.close()
})

describe('the cache of pages', () => {
  it('never evicts a host in use, but an idle one', async () => {
    const { get, passTime, hold } = openCache()
    const coding = async (host: string) => (await get(host)).encoding
    for (let host = 0; host < 8; host++) expect(await coding(`first-${host}`)).toBe('br')
    expect(await coding('ninth')).toBeNull()
    passTime(40_000)
    expect(await coding('first-0')).toBe('br')
    passTime(40_000)
    expect(await coding('ninth')).toBe('br')
    const before = await hold()
    expect(await coding('first-0')).toBe('br')
    expect(await hold()).toEqual(before)
    expect(before).toMatchObject({ origins: 8, pages: 8, packed: 9 })
  })

  it('has one page for all hosts if the page does not contain the host, and only the latest version', async () => {
    const { get, hold } = openCache()
    for (let host = 0; host < 50; host++) await get(null, { path: null })
    expect(await hold()).toMatchObject({ origins: 0, pages: 1, packed: 1 })
    for (let trade = 0; trade < 20; trade++) {
      for (const coding of ['br', 'gzip'] as const) await get('one', { title: `Price ${trade}` }, coding)
    }
    expect(await hold()).toMatchObject({ origins: 1, pages: 3, packed: 41 })
  })

  it('stays within 64 MB', async () => {
    const { get, hold } = openCache(randomBytes(MEBIBYTE).toString('base64'))
    // The words count twice, so a page has 5 MB.
    const words = { name: 'x'.repeat(2 * MEBIBYTE) }
    for (let id = 0; id < 13; id++) await get('one', { path: `/token/${id}`, words }, 'gzip')
    const { bytes } = await hold()
    expect(bytes).toBeGreaterThan(56 * MEBIBYTE)
    expect(bytes).toBeLessThanOrEqual(64 * MEBIBYTE)
  })

  it('counts a compression against the reads of one caller, once for all who wait for it', async () => {
    const { get, spend } = openCache()
    for (const [host, coding] of [
      ['one', 'br'],
      ['one', 'gzip'],
      ['two', 'br'],
    ] as const) {
      spend.mockClear()
      await Promise.all(Array.from({ length: 20 }, () => get(host, {}, coding)))
      await get(host, {}, coding)
      await get(host, {}, null)
      expect(spend.mock.calls).toEqual([[expect.objectContaining({ ip: '127.0.0.1' }), 'read', 5]])
    }
  })

  it('sends the page uncompressed to a caller without reads left', async () => {
    const { get, hold, spend } = openCache()
    spend.mockRejectedValue(new RateLimitedError(7))
    expect(await get('one')).toMatchObject({ encoding: null, body: Buffer.from('Docsa page') })
    expect((await hold()).packed).toBe(0)
  })
})

describe('ALLOWED_HOSTS', async () => {
  const env = { ALLOWED_HOSTS: 'Papermoon.example, localhost:80,[::1]', TRUST_PROXY: 'loopback' }
  const server = await shareTestServer({ hasJobs: false, webRoot: root, env })
  const id = await (await server.player()).launch()

  it('rejects every other host with a sentence, over every transport', async () => {
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
          'This server does not accept requests for this host name.',
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

  it('allows the listed hosts, and hosts without a port on any port', async () => {
    for (const host of ['papermoon.example', 'PAPERMOON.example:8080', 'localhost:80', '[::1]:3000', '[::1]']) {
      const answer = await server.visitor().get('/docs', { host })
      expect([host, answer.statusCode]).toEqual([host, 200])
    }
  })

  it('lets probes use any host', async () => {
    for (const path of ['/healthz', '/readyz', '/healthz?x'])
      expect((await server.visitor().get(path, { host: '10.0.0.7:3000' })).statusCode).toBe(200)
    expect((await server.visitor().get('/healthz/../api/tokens', { host: '10.0.0.7' })).statusCode).toBe(421)
  })

  it('checks the host that a trusted proxy forwards', async () => {
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
