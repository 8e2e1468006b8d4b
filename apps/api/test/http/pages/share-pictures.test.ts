import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { hide } from '../../../src/commands/admin/moderate.ts'
import { aPicture } from '../../support/pictures.ts'
import { errorsIn } from '../../support/test-server.ts'
import { createUploadServer, put } from '../../support/uploader.ts'
import { WAIT_MAX_MS } from '../../support/wait.ts'

const server = await createUploadServer()
afterAll(() => server.close())
const player = await server.player('degen_dana')

async function pictureAt(url: string): Promise<Buffer> {
  const answer = await server.visitor().get(url)
  expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([url, 200, 'image/png'])
  const { format, width, height } = await sharp(answer.rawPayload).metadata()
  expect({ format, width, height }).toEqual({ format: 'png', width: 1200, height: 630 })
  return answer.rawPayload
}

describe('the picture of a link preview', () => {
  it('exists for every kind of page', async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    const userId = await player.id()
    const urls = ['/og/home.png', '/og/leaderboard.png', `/og/token/${id}.png`, `/og/user/${userId}.png`]
    const pictures = []
    for (const url of urls) pictures.push((await pictureAt(url)).toString('base64'))
    expect(new Set(pictures).size).toBe(urls.length)
  })

  it.each([
    ['</text><script>alert(1)</script>', '</SVG>', '💀'],
    ['$& $1 $` &amp; &lt; <![CDATA[', '$&', '🇫🇮'],
    ['🚀🐶🇫🇮👩🏽', '🚀', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['القمر הירח', 'قمر', '🌙'],
    ['月亮 ペーパー 한국어 ไทย मून', '月', '🌕'],
    ['W'.repeat(32), 'W'.repeat(10), '🪙'],
    ['a\u0320\u0301\u0302\u0303', '⸻', '🫩'],
  ])('is drawn whatever a token is called: %s', async (name, symbol, emoji) => {
    const answer = await player.post('/api/tokens/launch', { name, symbol, emoji })
    // A launch rejects an emoji that this version of Node does not know.
    const id = answer.statusCode === 201 ? answer.json().id : await player.launch({ name, symbol })
    await pictureAt(`/og/token/${id}.png`)
    expect(errorsIn(server)).toEqual([])
  })

  it('changes only with the price', async () => {
    const id = await player.launch()
    const url = `/og/token/${id}.png`
    const [before, again] = [await server.visitor().get(url), await server.visitor().get(url)]
    expect(again.headers.etag).toBe(before.headers.etag)
    expect(again.rawPayload).toEqual(before.rawPayload)
    expect((await server.visitor().get(url, { 'if-none-match': String(before.headers.etag) })).statusCode).toBe(304)
    await player.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    const after = await server.visitor().get(url, { 'if-none-match': String(before.headers.etag) })
    expect(after.statusCode).toBe(200)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(after.rawPayload).not.toEqual(before.rawPayload)
  })

  it('has a seal while the liquidity is sealed', async () => {
    const id = await player.launch()
    const url = `/og/token/${id}.png`
    const before = await pictureAt(url)
    await player.post(`/api/tokens/${id}/seal`, { term: 'day' })
    await vi.waitFor(async () => expect((await pictureAt(url)).equals(before)).toBe(false), { timeout: WAIT_MAX_MS })
  })

  it('shows a moment of the past, which never changes', async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    await player.post('/api/tokens/buy', { tokenId: id, solAmount: '5' })
    const url = (at: number) => `/og/token/${id}.png?at=${at}`
    const pictures = []
    for (const at of [0, 1, 2]) pictures.push((await pictureAt(url(at))).toString('base64'))
    expect(new Set([...pictures, (await pictureAt(`/og/token/${id}.png`)).toString('base64')]).size).toBe(4)
    await player.post(`/api/tokens/${id}/rug`, {})
    expect((await pictureAt(url(1))).toString('base64')).toBe(pictures[1])
    expect((await server.visitor().get(url(4))).statusCode).toBe(404)
  })

  it('counts an uncached moment as the reads it takes, and a cached one as one read', async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    const spend = vi.spyOn(server.app.accounts.limits, 'spend')
    onTestFinished(() => spend.mockRestore())
    const readsAt = async (at: number) => {
      spend.mockClear()
      await server.visitor().get(`/og/token/${id}.png?at=${at}`)
      return spend.mock.calls.reduce((sum, [, , calls = 1]) => sum + calls, 0)
    }
    await readsAt(0)
    expect([await readsAt(1), await readsAt(1)]).toEqual([11, 1])
  })

  it('shows no moment of a hidden token, not even a cached one', async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    await pictureAt(`/og/token/${id}.png?at=1`)
    await hide(server.database, String(id))
    await vi.waitFor(
      async () => expect((await server.visitor().get(`/og/token/${id}.png?at=1`)).statusCode).toBe(404),
      { timeout: WAIT_MAX_MS },
    )
  })

  it('shows a player’s profile picture', async () => {
    const painter = await server.player()
    const id = await painter.id()
    const coin = await painter.get(`/og/user/${id}.png`)
    const url = await server.uploadUrl(painter)
    await put(new URL(url, server.origin).href, await aPicture({ background: '#00ff00' }).png().toBuffer())
    expect((await server.take(painter, url)).status).toBe(200)
    const chosen = await painter.get(`/og/user/${id}.png`)
    expect(chosen.headers.etag).not.toBe(coin.headers.etag)
    // The middle of the coin.
    const spot = { left: 146, top: 144, width: 1, height: 1 }
    const pixel = await sharp(chosen.rawPayload).extract(spot).removeAlpha().raw().toBuffer()
    const [red = 255, green = 0, blue = 255] = pixel
    expect(red < 40 && green > 200 && blue < 40).toBe(true)
  })

  it('may be cached for a minute', async () => {
    const answer = await server.visitor().get('/og/home.png')
    expect(answer.headers['cache-control']).toBe('public, max-age=60')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(answer.headers.etag).toMatch(/^"[\w-]{43}"$/)
  })

  it.each(['/og/token/2000000000.png', '/og/token/x.png', '/og/token/01.png', '/og/user/0.png', '/og/more.png'])(
    'does not exist for %s',
    async (url) => {
      const answer = await server.visitor().get(url)
      expect(answer.statusCode).toBe(404)
      expect(answer.headers['content-type']).toContain('text/plain')
    },
  )

  it('is rejected with Retry-After when too many requests wait', async () => {
    const ids = []
    for (let made = 0; made < 20; made++) ids.push(await player.launch({ name: `Crowd ${made}` }))
    // No picture is drawn before a request was rejected, because drawing may be faster than the requests arrive.
    const { promise: refusal, resolve: draw } = Promise.withResolvers<void>()
    const post = Worker.prototype.postMessage
    const spy = vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, order) {
      void refusal.then(() => post.call(this, order))
    })
    onTestFinished(() => spy.mockRestore())
    const answers = await Promise.all(
      ids.map(async (id) => {
        const answer = await server.visitor().get(`/og/token/${id}.png`)
        if (answer.statusCode === 503) draw()
        return answer
      }),
    )
    const drawn = answers.filter((answer) => answer.statusCode === 200)
    const refused = answers.filter((answer) => answer.statusCode === 503)
    expect(drawn.length + refused.length).toBe(ids.length)
    expect(drawn.length).toBeGreaterThan(0)
    expect(refused.length).toBeGreaterThan(0)
    for (const { headers } of refused) {
      expect(headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
      expect(headers.etag).toBeUndefined()
    }
    await pictureAt(`/og/token/${ids.at(-1)}.png`)
  })
})
