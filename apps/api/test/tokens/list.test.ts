import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ env: { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' } })
const player = await server.player()

describe('the list of tokens', () => {
  it('sorted by last trade starts with the token that was traded, rugged or launched last', async () => {
    const ids: number[] = []
    const toPlaces = (tokens: readonly { readonly id: number }[]) => tokens.map(({ id }) => ids.indexOf(id))
    const order = async (query = '') =>
      toPlaces((await server.visitor().get(`/api/tokens?sort=last-trade${query}`)).json())
    const act = async (path: string, body: object) => {
      server.passTime(1_000)
      await player.post(path, body)
    }
    for (let count = 0; count < 4; count++) {
      server.passTime(1_000)
      ids.push(await player.launch())
    }
    expect(await order()).toEqual([3, 2, 1, 0])
    await act('/api/tokens/buy', { tokenId: ids[1], solAmount: '1' })
    expect(await order()).toEqual([1, 3, 2, 0])
    await act('/api/tokens/buy', { tokenId: ids[0], solAmount: '1' })
    await act(`/api/tokens/${ids[2]}/rug`, {})
    expect(await order()).toEqual([2, 0, 1, 3])
    expect(await order('&rugged=hide')).toEqual([0, 1, 3])
    const first = await server.visitor().get('/api/tokens?sort=last-trade&limit=3')
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    expect(toPlaces((await server.visitor().get(next)).json())).toEqual([3])
  })
})

describe('the limit of reads', () => {
  it('counts a page by its size', async () => {
    const read = (url: string) => server.visitor().get(url, { 'x-forwarded-for': '203.0.113.1' })
    const left = async (url: string) => Number((await read(url)).headers['ratelimit-remaining'])
    expect([
      await left('/api/tokens?limit=20'),
      await left('/api/tokens?limit=100'),
      await left('/api/tokens'),
    ]).toEqual([1_199, 1_196, 1_175])
    const answers = await Promise.all(Array.from({ length: 60 }, () => read('/api/tokens')))
    expect(answers.filter(({ statusCode }) => statusCode === 429).length).toBeGreaterThan(0)
  })
})
