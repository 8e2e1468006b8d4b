import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { RateLimitedError } from '../../../src/errors.ts'
import { createTestServer, shareTestServer } from '../../support/test-server.ts'

/** The source of the web app's page. A build adds scripts, and keeps the placeholder of the head. */
const INDEX = fileURLToPath(new URL('../../../../web/index.html', import.meta.url))
const EVIL = ['$& $1 $` $$', '"><script>x()</script>', '&amp;<!-- -->', "' onload='x()"]

const root = await mkdtemp(join(tmpdir(), 'papermoon-share-'))
afterAll(() => rm(root, { recursive: true }))
await cp(INDEX, join(root, 'index.html'))
const server = await shareTestServer({ hasJobs: false, webRoot: root })
const player = await server.player('degen_dana')

function get(url: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
  return server.visitor().get(url, headers)
}

/** Parses a page's head like a browser or crawler. */
function readHead(html: string): Record<string, string> {
  const [head = ''] = html.split('</head>')
  const found: Record<string, string> = {}
  for (const [, name = '', content = ''] of head.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)" \/>/g)) {
    found[name] = unescaped(content)
  }
  found.title = unescaped(/<title>([^<]*)<\/title>/.exec(head)?.[1] ?? '')
  found.canonical = unescaped(/<link rel="canonical" href="([^"]*)"/.exec(head)?.[1] ?? '')
  return found
}

function unescaped(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => names[name] ?? '')
}

describe('the head of a page', () => {
  it('shows no more of a room than of a fair that does not exist', async () => {
    const made = await player.post('/api/fairs', { kind: 'room', name: 'Secret evening' })
    const { fair } = made.json()
    const answer = await get(`/fairs/${fair.id}?invite=${made.json().invite}`)
    const unknown = await get('/fairs/999999')
    expect([answer.statusCode, unknown.statusCode]).toEqual([200, 200])
    expect(answer.body).not.toContain('Secret')
    expect(answer.body.replaceAll(`/fairs/${fair.id}`, '/fairs/999999')).toBe(unknown.body)
    expect((await get('/fairs/x')).statusCode).toBe(404)
  })

  it('contains a token’s name and price, like the browser’s tab', async () => {
    const id = await player.launch({ name: 'Moon "Rocket"', symbol: 'ROCK', emoji: '🚀', description: 'Up.' })
    const answer = await get(`/token/${id}`, { host: 'papermoon.example:8080' })
    const at = 'http://papermoon.example:8080'
    expect(answer.statusCode).toBe(200)
    expect(readHead(answer.body)).toMatchObject({
      title: '0.0₇3 ROCK · Moon "Rocket" · Papermoon',
      'og:title': '0.0₇3 ROCK · Moon "Rocket" · Papermoon',
      description: 'ROCK costs 0.00000003 SOL, 0.00% in 24 hours. Market cap $6.0K. Up.',
      canonical: `${at}/token/${id}`,
      'og:url': `${at}/token/${id}`,
      'og:image': `${at}/og/token/${id}.png?v=0`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': 'Moon "Rocket" (ROCK): price, change over 24 hours and market cap',
      'twitter:card': 'summary_large_image',
    })
    expect(answer.body.match(/<title>/g)).toHaveLength(1)
    expect(answer.body.match(/name="description"/g)).toHaveLength(1)
    expect(answer.body).toContain('<div id="root"></div>')
  })

  it('shows how long a token is sealed', async () => {
    const id = await player.launch({ name: 'Waxed', symbol: 'WAX' })
    await player.post(`/api/tokens/${id}/seal`, { term: 'ever' })
    await vi.waitFor(async () =>
      expect(readHead((await get(`/token/${id}`)).body)['og:image:alt']).toBe(
        'Waxed (WAX): price, change over 24 hours and market cap. Sealed for ever',
      ),
    )
  })

  it('changes with the market', async () => {
    const id = await player.launch()
    const before = await get(`/token/${id}`)
    expect((await get(`/token/${id}`)).headers.etag).toBe(before.headers.etag)
    expect((await get(`/token/${id}`, { 'if-none-match': String(before.headers.etag) })).statusCode).toBe(304)
    await player.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    const after = await get(`/token/${id}`, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(readHead(after.body)['og:image']).toMatch(/\?v=1$/)
    expect(readHead(after.body).title).not.toBe(readHead(before.body).title)
    await player.post(`/api/tokens/${id}/rug`, {})
    expect(readHead((await get(`/token/${id}`)).body).description).toBe(
      'MOON was rugged by degen_dana, so its price is 0. Play money.',
    )
  })

  it('describes a moment of a token’s past, with its own picture', async () => {
    const id = await player.launch({ name: 'Old Moon', symbol: 'OLD', initialBuyAmount: '2' })
    await player.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    await player.post(`/api/tokens/${id}/rug`, {})
    const moments = []
    for (const at of [0, 1, 2, 3]) moments.push(readHead((await get(`/token/${id}?at=${at}`)).body))
    const { time } = (await get(`/api/tokens/${id}/past/1`)).json()
    const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    expect(moments[1]).toMatchObject({
      title: `0.0₇34121 OLD · Old Moon on ${date.format(new Date(time))} · Papermoon`,
      canonical: `http://localhost:80/token/${id}?at=1`,
      'og:url': `http://localhost:80/token/${id}?at=1`,
      'og:image': `http://localhost:80/og/token/${id}.png?at=1`,
      robots: 'noindex',
    })
    const said = moments.map((head) => head.description?.replace(/^.* UTC: /, ''))
    expect(said).toEqual([
      'degen_dana launched OLD. OLD cost 0.00000003 SOL, 0.00% in 24 hours. Market cap $6.0K. Play money.',
      expect.stringMatching(
        /^degen_dana bought OLD for 2\.00 SOL\. OLD cost 0\.000000034121 SOL, \+13\.74% in 24 hours\./,
      ),
      expect.stringMatching(/^degen_dana bought OLD for 5\.00 SOL\./),
      'degen_dana rugged OLD and took 6.97 SOL. OLD’s price fell to 0. Play money.',
    ])
  })

  it('marks a bot as one, now and in the past', async () => {
    const bot = await server.player('ticker_tom')
    const id = await bot.launch({ symbol: 'TICK', initialBuyAmount: '1' })
    await bot.post(`/api/tokens/${id}/rug`, {})
    const declared = { 'content-type': 'application/json' }
    expect((await bot.raw('PUT', '/api/account/bot', '{"isBot":true}', declared)).statusCode).toBe(200)
    const described = async (path: string) => readHead((await get(path)).body).description
    expect(await described(`/token/${id}`)).toMatch(/^TICK was rugged by ticker_tom \(bot\), so /)
    for (const [at, act] of ['launched', 'bought', 'rugged'].entries()) {
      expect(await described(`/token/${id}?at=${at}`)).toContain(` ticker_tom (bot) ${act} TICK`)
    }
    const userId = await bot.id()
    expect(await described(`/user/${userId}`)).toMatch(/^ticker_tom \(bot\) has /)
  })

  it('shows the present if the parameter `at` is not a valid moment', async () => {
    const id = await player.launch()
    const now = readHead((await get(`/token/${id}`)).body)
    for (const at of ['1', '-1', '00', '0.0', '0e0', 'x', '', '9'.repeat(20), '0&at=0']) {
      expect(readHead((await get(`/token/${id}?at=${at}`)).body), at).toEqual(now)
    }
  })

  it('describes a player', async () => {
    const id = await player.id()
    const head = readHead((await get(`/user/${id}`)).body)
    expect(head).toMatchObject({ title: 'degen_dana · Papermoon', canonical: `http://localhost:80/user/${id}` })
    expect(head.description).toMatch(/^degen_dana has [\d.]+ SOL, holds \d tokens? and launched \d on Papermoon\./)
    expect(JSON.stringify(head)).not.toContain('@papermoon.example')
  })

  it.each([
    ['/', 'Papermoon'],
    ['/docs', 'Docs · Papermoon'],
    ['/docs/', 'Docs · Papermoon'],
    ['/launch', 'Launch Token · Papermoon'],
    ['/auth', 'Login / Register · Papermoon'],
    ['/leaderboard', 'Leaderboard · Papermoon'],
    ['/settings', 'Settings · Papermoon'],
  ])('is there at %s', async (url, title) => {
    const answer = await get(url)
    const head = readHead(answer.body)
    expect([answer.statusCode, head.title]).toEqual([200, title])
    expect(head.description).not.toBe('')
    expect(head['og:image']).toMatch(/^http:\/\/localhost:80\/og\/(home|leaderboard)\.png$/)
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'")
  })

  it.each(EVIL)('escapes a token named %s', async (name) => {
    const id = await player.launch({ name, symbol: '$&', description: name })
    const { body } = await get(`/token/${id}`)
    expect(readHead(body).title).toBe(`0.0₇3 $& · ${name} · Papermoon`)
    expect(readHead(body).description).toContain(name)
    // The page has the same elements as the page of another token.
    const elements = (html: string) => html.match(/<[a-z!/][^\s>]*/gi)?.join(' ')
    expect(elements(body)).toBe(elements((await get(`/token/${await player.launch()}`)).body))
  })

  it.each(['/token/999999999', '/token/abc', '/token/05', '/user/2000000000', '/user/-1'])(
    'of %s says that it does not exist, and the app shows the same to people',
    async (url) => {
      const answer = await get(url, { 'if-none-match': '*' })
      expect(answer.statusCode).toBe(404)
      expect(readHead(answer.body).title).toMatch(/^(Token|User) not found · Papermoon$/)
      expect(readHead(answer.body)).toMatchObject({ robots: 'noindex', canonical: '' })
      expect(answer.body).toContain('<div id="root"></div>')
      expect(answer.headers.etag).toBeUndefined()
    },
  )

  it('reveals nothing of a hidden token', async () => {
    const id = await player.launch({ name: 'Quite Secret' })
    expect((await get(`/token/${id}`)).body).toContain('Quite Secret')
    await server.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', id).execute()
    await expect.poll(async () => (await get(`/token/${id}`)).statusCode).toBe(404)
    expect((await get(`/token/${id}`)).body).not.toContain('Quite Secret')
    expect((await get(`/og/token/${id}.png`)).statusCode).toBe(404)
  })

  it('ignores or rejects an invalid Host, and ignores any Host if PUBLIC_URL is set', async () => {
    for (const host of ['x:y:z', '<b>', 'a b']) expect((await get('/docs', { host })).statusCode).toBe(400)
    for (const host of ['evil.example/x?', 'a"b', '-a']) {
      const head = readHead((await get('/docs', { host })).body)
      expect(head['og:image']).toBe('/og/home.png')
    }
    expect(readHead((await get('/docs', { host: '[::1]:3000' })).body).canonical).toBe('http://[::1]:3000/docs')
    const named = await createTestServer({
      hasJobs: false,
      webRoot: root,
      env: { PUBLIC_URL: 'https://papermoon.example' },
    })
    const answer = await named.visitor().get('/docs', { host: 'evil.example' })
    expect(readHead(answer.body).canonical).toBe('https://papermoon.example/docs')
    expect(answer.body).not.toContain('evil')
    await named.close()
  })

  it('has the links that the build lists for its screen, and the first view if the build has one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'papermoon-links-'))
    const link = '<link rel="preload" href="/trpc/tokens.get?input=$id">'
    const list = JSON.stringify([
      ['/leaderboard', ['<link rel="modulepreload" href="/assets/board.js">']],
      ['/token/$id', ['<link rel="modulepreload" href="/assets/token.js">', link]],
    ])
    const token = '<p>{emoji} {name} {symbol} {creator} {price} {perMillion} {marketCap} {capInSol}</p>'
    const drawn = { '/': '<p>fair</p>', '/token/$id': token, '/user/$id': '<p>{unknown}</p>', '*': '<p>$& any</p>' }
    const views = JSON.stringify(drawn).replaceAll('>', '\\u003e')
    const html = (await readFile(INDEX, 'utf8'))
      .replace('</head>', () => `<!-- screen-links ${list} -->\n</head>`)
      .replace('<div id="root">', (root) => `${root}<!-- first-view ${views} -->`)
    await writeFile(join(folder, 'index.html'), html)
    const built = await createTestServer({ hasJobs: false, webRoot: folder })
    const creator = await built.player('view_vera')
    const id = await creator.launch({ name: '<b>{symbol}</b> $&', symbol: 'VIEW', emoji: '🚀' })
    const read = async (url: string) => (await built.visitor().get(url)).body
    const linksAt = async (url: string) =>
      (await read(url)).match(/(?<=<link rel="(?:modulepreload|preload)" href=")[^"]+/g)
    expect(await linksAt(`/token/${id}`)).toEqual(['/assets/token.js', `/trpc/tokens.get?input=${id}`])
    expect(await linksAt('/leaderboard')).toEqual(['/assets/board.js'])
    for (const url of ['/', '/docs', '/token/abc', '/token/999999999', '/nothing'])
      expect(await linksAt(url)).toBeNull()
    expect(await read('/')).not.toContain('screen-links')

    const rootAt = async (url: string) => /<div id="root">(.*?)<\/div>/.exec(await read(url))?.[1]
    expect(await rootAt('/')).toBe('<p>fair</p>')
    for (const url of ['/docs', '/leaderboard', '/token/999999999', '/user/1'])
      expect(await rootAt(url)).toBe('<p>$& any</p>')
    expect(await rootAt(`/token/${id}`)).toBe(
      '<p>🚀 &lt;b&gt;{symbol}&lt;/b&gt; $&amp; VIEW view_vera 0.0₇3 ≈\u00a0$6.00 $6.0K 30.00</p>',
    )
    await creator.post(`/api/tokens/${id}/rug`, {})
    expect(await rootAt(`/token/${id}`)).toBe('<p>$& any</p>')
    await built.close()
    await rm(folder, { recursive: true })
  })

  it('has no figures past the rate limit', async () => {
    const id = await player.launch()
    const spend = vi.spyOn(server.app.accounts.limits, 'spend').mockRejectedValue(new RateLimitedError(7))
    const answer = await get(`/token/${id}`)
    expect([answer.statusCode, readHead(answer.body).title]).toEqual([200, 'Papermoon'])
    expect((await get(`/og/token/${id}.png`)).statusCode).toBe(429)
    spend.mockRestore()
  })
})
