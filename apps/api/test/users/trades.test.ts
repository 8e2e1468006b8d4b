import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: true })

const trades = async (id: number) => (await server.visitor().get(`/api/users/${id}/trades`)).json()

describe('GET /api/users/{id}/trades', () => {
  it('has each trade at once, the newest first, of this player alone', async () => {
    const [player, other] = [await server.player('trader'), await server.player('other')]
    const { id } = (await player.get('/api/auth/user')).json()
    expect(await trades(id)).toEqual([])
    const first = await player.launch({ name: 'First', symbol: 'ONE', initialBuyAmount: '1' })
    expect(await trades(id)).toMatchObject([
      { tokenId: first, tokenName: 'First', seq: 1, side: 'buy', solAmount: '1' },
    ])
    await other.post('/api/tokens/buy', { tokenId: first, solAmount: '2' })
    await player.post('/api/tokens/sell', { tokenId: first, tokenAmount: '5' })
    expect(await trades(id)).toMatchObject([
      { seq: 3, side: 'sell', tokenAmount: '5' },
      { seq: 1, side: 'buy' },
    ])
  })

  it('names the pulled rug of a token, also where the answer was kept before it', async () => {
    const [player, creator] = [await server.player('victim'), await server.player('puller')]
    const { id } = (await player.get('/api/auth/user')).json()
    const tokenId = await creator.launch()
    await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    expect(await trades(id)).toMatchObject([{ tokenId, ruggedAt: null }])
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    expect(await trades(id)).toMatchObject([{ tokenId, ruggedAt: expect.any(String) }])
  })

  it('is paged by the Link header, each trade once', async () => {
    const player = await server.player('pager')
    const { id } = (await player.get('/api/auth/user')).json()
    const tokenId = await player.launch()
    for (let count = 0; count < 5; count++) await player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })
    const seqs: number[] = []
    let url: string | undefined = `/api/users/${id}/trades?limit=2`
    while (url !== undefined) {
      const page = await server.visitor().get(url)
      seqs.push(...page.json().map(({ seq }: { seq: number }) => seq))
      url = /<(.*)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seqs).toEqual([5, 4, 3, 2, 1])
    const orders = (of: number) => player.get(`/api/orders?tokenId=${of}`)
    expect((await orders(tokenId)).json()).toHaveLength(6)
    expect((await orders(2_000_000_000)).json()).toEqual([])
  })

  it('has the latest 20', async () => {
    const player = await server.player('busy')
    const { id } = (await player.get('/api/auth/user')).json()
    const tokenId = await player.launch()
    for (let count = 0; count < 22; count++) await player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })
    expect((await trades(id)).map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, index) => 22 - index),
    )
  })

  it('is 404 for an unknown player', async () => {
    expect((await server.visitor().get('/api/users/2000000000/trades')).statusCode).toBe(404)
  })
})
