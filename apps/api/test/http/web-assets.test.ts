import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { errors } from '@papermoon/contract/errors'
import { afterAll, describe, expect, it } from 'vitest'
import { shownLimits } from '../../src/security/rate-limits.ts'
import { createTestServer, shareTestServer } from '../support/test-server.ts'

const PAGE = '<!doctype html><title>Papermoon</title>'
const SCRIPT = 'console.log("moon")'

const root = mkdtempSync(join(tmpdir(), 'papermoon-web-'))
afterAll(() => rmSync(root, { recursive: true }))
mkdirSync(join(root, 'assets'))
writeFileSync(join(root, 'index.html'), PAGE)
writeFileSync(join(root, 'index.html.br'), brotliCompressSync(PAGE))
writeFileSync(join(root, 'assets/main-abc123.js'), SCRIPT)
writeFileSync(join(root, 'assets/main-abc123.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(root, 'assets/main-abc123.js.gz'), gzipSync(SCRIPT))
writeFileSync(join(root, 'moon.svg'), '<svg/>')
writeFileSync(join(root, 'sw.js'), SCRIPT)
writeFileSync(join(root, 'sw.js.br'), brotliCompressSync(SCRIPT))
writeFileSync(join(root, 'manifest.webmanifest'), '{}')
const server = await shareTestServer({ hasJobs: false, webRoot: root })

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

describe('the web app', () => {
  // `share-pages.test.ts` tests other screens.
  it.each([
    ...['/', '/developers', '/proof', '/fairs', '/fairs/5', '/token/5', '/user/5', '/verify-email'],
    '/reset-password?email=a@b',
  ])('is served at its screen %s', async (url) => {
    for (const headers of [navigation, {}]) {
      const answer = await server.visitor().get(url, headers)
      expect([answer.statusCode, answer.body]).toEqual([200, PAGE])
      expect(answer.headers['cache-control']).toBe('no-cache')
    }
  })

  it('is served with 404 for unknown URLs', async () => {
    for (const url of ['/nothing', '/token/5/more', '/token']) {
      const answer = await server.visitor().get(url, { ...navigation, 'if-none-match': '*' })
      expect([url, answer.statusCode, answer.body]).toEqual([url, 404, PAGE])
    }
  })

  it('is not served to programs, for missing files and for the API', async () => {
    const answer = await server.visitor().get('/assets/gone.js')
    expect([answer.statusCode, answer.body]).toEqual([404, 'There is nothing at this address.'])
    expect((await server.visitor().post('/launch', {})).statusCode).toBe(404)
    expect((await server.visitor().get('/api/nothing', navigation)).body).toBe('There is nothing at this address.')
  })

  it('sends files that were compressed at build time, and lets hashed files be cached for good', async () => {
    const url = '/assets/main-abc123.js'
    const [brotli, gzip, plain] = [
      await server.visitor().get(url, { 'accept-encoding': 'gzip, br' }),
      await server.visitor().get(url, { 'accept-encoding': 'gzip' }),
      await server.visitor().get(url),
    ]
    expect([brotli, gzip, plain].map((answer) => answer.headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
    expect(brotli.rawPayload).toEqual(brotliCompressSync(SCRIPT))
    for (const answer of [brotli, gzip, plain]) {
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(answer.headers['content-type']).toContain('javascript')
      expect(answer.headers.vary).toMatch(/accept-encoding/i)
    }
  })

  it('sends the page compressed, to be revalidated each time', async () => {
    const answer = await server.visitor().get('/', { 'accept-encoding': 'br' })
    expect(answer.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' })
    expect(answer.headers['content-type']).toContain('text/html')
    const again = await server
      .visitor()
      .get('/', { 'if-none-match': String(answer.headers.etag), 'accept-encoding': 'br' })
    expect(again.statusCode).toBe(304)
  })

  it('lets the service worker and the manifest be revalidated each time, and other files be cached for an hour', async () => {
    const [worker, packed, manifest] = [
      await server.visitor().get('/sw.js'),
      await server.visitor().get('/sw.js', { 'accept-encoding': 'br' }),
      await server.visitor().get('/manifest.webmanifest'),
    ]
    for (const answer of [worker, packed, manifest]) expect(answer.headers['cache-control']).toBe('no-cache')
    const { headers } = await server.visitor().get('/moon.svg')
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      'content-type': 'image/svg+xml; charset=utf-8',
    })
    expect(packed.headers['content-encoding']).toBe('br')
    // Browsers reject a worker with another content type, or one that the page's policy forbids.
    expect(worker.headers['content-type']).toContain('javascript')
    expect(worker.headers['content-security-policy']).toContain("default-src 'self'")
    expect(manifest.headers['content-type']).toContain('application/manifest+json')
  })

  it.each(['/../package.json', '/..%2fpackage.json', '/assets/..%2f..%2fetc/passwd', '/.env', '/%00', '/%zz'])(
    'reveals no file at %s',
    async (url) => {
      const answer = await server.visitor().get(url)
      expect(answer.statusCode).toBeGreaterThanOrEqual(400)
      expect(answer.statusCode).toBeLessThan(500)
    },
  )
})

describe('a custom web app', () => {
  it('can run its inline scripts and no others, and its guide can be read without scripts', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'papermoon-inline-'))
    const data = '<script type="application/json">{}</script><script src="/assets/main-abc123.js"></script>'
    const scripts = `<script>a()</script>${data}<script data-app="/x.js">b()</script>`
    const page = `<head><!-- page-head --><!-- /page-head --></head><body>${scripts}</body>`
    writeFileSync(join(folder, 'index.html'), page)
    const built = await createTestServer({ hasJobs: false, webRoot: folder })
    const at = { accept: '*/*', host: 'moon.example' }
    const screen = await built.visitor().get('/developers', at)
    const hashes = ['a()', '{}', 'b()'].map((text) => createHash('sha256').update(text).digest('base64'))
    const allowed = `script-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')};`
    expect(screen.headers['content-security-policy']).toContain(allowed)
    expect((await server.visitor().get('/')).headers['content-security-policy']).not.toContain('script-src')
    expect(screen.body).toMatch(
      /<noscript>[\s\S]*<h1 id="quickstart">[\s\S]*http:\/\/moon\.example\/api[\s\S]*<\/noscript><\/body>/,
    )
    expect((await built.visitor().get('/docs', at)).body).not.toContain('noscript')
    await built.close()
    rmSync(folder, { recursive: true })
  })

  it('can be missing: the root page is a sentence, and the guide has its own page', async () => {
    const bare = await createTestServer({ hasJobs: false })
    const answer = await bare.visitor().get('/', navigation)
    expect([answer.statusCode, answer.body]).toEqual([404, 'There is nothing at this address.'])
    expect((await bare.visitor().get('/developers')).body).toContain('<h1 id="quickstart">')
    await bare.close()
  })
})

describe('the guide', () => {
  it('is served to programs, with the URL of the request filled in', async () => {
    for (const url of ['/developers', '/developers.md', '/developers/orders.md', '/developers/orders', '/llms.txt']) {
      const { statusCode, body } = await server.visitor().get(url, { accept: '*/*', host: 'moon.example' })
      expect([url, statusCode]).toEqual([url, 200])
      if (url !== '/developers') expect(body).toContain('http://moon.example')
      expect(body).not.toMatch(/localhost:3000|slot:|```\w+ run/)
    }
    expect((await server.visitor().get('/api')).json()).toMatchObject({ guide: '/developers.md' })
  })

  it('lists every limit for programs at the end of its chapter on limits', async () => {
    const { bounds } = (await server.visitor().get('/api/parameters')).json()
    const { body } = await server.visitor().get('/developers/limits.md')
    for (const { name } of shownLimits) expect(body).toMatch(new RegExp(`^\\| ${name} \\|.*\\d in \\d+ s`, 'm'))
    for (const [name, most] of Object.entries(bounds)) expect(body).toContain(`(\`${name}\`) | ${most} |`)
    expect(Object.keys(bounds).length).toBeGreaterThan(15)
  })

  it('explains every error code at the URL in problem details', async () => {
    const problem = (await server.visitor().get('/api/tokens/2000000000', { accept: 'application/json' })).json()
    const [path = '', anchor] = problem.type.split('#')
    const { body } = await server.visitor().get(path)
    expect(body).toContain(`<h2 id="${anchor}">`)
    for (const code of Object.keys(errors)) expect(body).toContain(`id="${code}"`)
  })
})
