import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { procedures } from '@papermoon/contract'
import { isPublic } from '@papermoon/contract/procedure'
import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { getBadInputRow, publishLongAgo } from '../support/bad-input.ts'
import { shareTestServer } from '../support/test-server.ts'

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const LIST = '/trpc/tokens.list?input=%7B%22json%22%3A%7B%7D%7D'

const server = await shareTestServer()
const player = await server.player('printer')
for (let i = 0; i < 8; i++) await player.launch({ name: `Paper Moon ${i}`, description: 'x'.repeat(200) })

const ask = (url: string, headers: Record<string, string> = BROWSER) => server.visitor().get(url, headers)
const getEncoding = ({ headers }: LightMyRequestResponse) => headers['content-encoding']

describe('a public response', () => {
  it('is compressed if the client accepts it, without changing its content', async () => {
    const plain = await ask(LIST, {})
    expect(plain.rawPayload.length).toBeGreaterThan(2_048)
    expect([getEncoding(plain), plain.headers.vary]).toEqual([undefined, 'accept-encoding'])
    const brotli = await ask(LIST)
    expect([getEncoding(brotli), brotli.headers.vary]).toEqual(['br', 'accept-encoding'])
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(brotli.headers['content-length']).toBe(String(brotli.rawPayload.length))
    const gzip = await ask(LIST, { 'accept-encoding': 'gzip' })
    expect(getEncoding(gzip)).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
  })

  it('is gzip or uncompressed if the client asks for it', async () => {
    for (const accepted of ['identity', 'br;q=0, gzip;q=0', 'deflate', 'brr', '*;q=0'])
      expect([accepted, getEncoding(await ask(LIST, { 'accept-encoding': accepted }))]).toEqual([accepted, undefined])
    for (const accepted of ['br;q=0, gzip', 'GZIP', 'gzip;q=0.5', ' gzip ; q=1.0'])
      expect([accepted, getEncoding(await ask(LIST, { 'accept-encoding': accepted }))]).toEqual([accepted, 'gzip'])
  })

  it('in a batch is compressed only if all its calls are public', async () => {
    const input = encodeURIComponent(JSON.stringify({ 0: { json: {} }, 1: { json: {} } }))
    const answer = await ask(`/trpc/tokens.list,tokens.list?batch=1&input=${input}`)
    expect(getEncoding(answer)).toBe('br')
    expect(JSON.parse(String(brotliDecompressSync(answer.rawPayload)))).toHaveLength(2)
  })
})

describe('public queries, which are compressed', () => {
  it('are the same for a guest, the creator and another player', async () => {
    const id = await player.launch({ initialBuyAmount: '1' })
    // `tokens.rugStory` works only after a rug pull.
    await player.raw('POST', `/api/tokens/${id}/rug`, '', { 'content-type': 'application/json' })
    await publishLongAgo(server.db)
    const others = [server.visitor(), await server.player('reader')]
    for (const [path, procedure] of procedures) {
      if (!isPublic(procedure)) continue
      const input = {
        ...getBadInputRow(path).valid,
        ...('id' in (procedure.input?.shape ?? {}) && { id: /^(users|stickers)\./.test(path) ? 1 : id }),
        ...('tokenId' in (procedure.input?.shape ?? {}) && { tokenId: id }),
      }
      const own = await player.query(path, input)
      for (const other of others) expect((await other.query(path, input)).body, path).toBe(own.body)
      expect(own.statusCode, path).toBe(200)
    }
  })
})

describe('a private response', () => {
  const input = encodeURIComponent(JSON.stringify({ 0: { json: {} } }))

  it('is never compressed, and neither is a batch that contains one', async () => {
    for (const url of [
      '/trpc/portfolio.get,portfolio.get,portfolio.get?batch=1',
      `/trpc/tokens.list,auth.me?batch=1&input=${input}`,
    ]) {
      const answer = await player.get(url, BROWSER)
      expect(getEncoding(answer)).toBeUndefined()
      expect(JSON.parse(answer.body).length).toBeGreaterThan(1)
    }
  })

  it('does not leak through the length of an error that repeats the request', async () => {
    const paths = ['auth.me', ...new Array(15).fill('x'.repeat(300))].join(',')
    const answer = await player.get(`/trpc/${paths}?batch=1`, BROWSER)
    expect(answer.body.length).toBeGreaterThan(2_048)
    expect(getEncoding(answer)).toBeUndefined()
    const refused = await ask(`/trpc/tokens.list,${'tokens.lost'.repeat(300)}?batch=1&input=${input}`)
    expect([refused.statusCode, getEncoding(refused)]).toEqual([207, undefined])
  })
})
