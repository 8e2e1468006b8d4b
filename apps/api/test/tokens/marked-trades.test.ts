import { beforeEach, describe, expect, it } from 'vitest'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

let tokenId: number
const server = await shareTestServer()
const creator = await server.player('Ringmaster')
const trader = await server.player('Rosa')
beforeEach(async () => {
  tokenId = await creator.launch({ initialBuyAmount: '1' })
})

const getId = async (player: Visitor): Promise<number> => (await player.get('/api/auth/user')).json().id
const buy = (player: Visitor, solAmount = '0.01') => player.post('/api/tokens/buy', { tokenId, solAmount })
const marked = async (visitor: Visitor): Promise<{ seq: number }[]> =>
  (await visitor.get(`/api/tokens/${tokenId}/trades/marked`)).json()
const seqsFor = async (visitor: Visitor) => (await marked(visitor)).map(({ seq }) => seq)

describe('GET /api/tokens/{id}/trades/marked', () => {
  it('shows guests the creator’s trades, and players their own, too', async () => {
    const { tokensOut } = (await buy(trader)).json()
    await trader.post('/api/tokens/sell', { tokenId, tokenAmount: tokensOut })
    await buy(await server.player())
    await buy(creator)
    expect(await seqsFor(server.visitor())).toEqual([5, 1])
    expect(await seqsFor(creator)).toEqual([5, 1])
    expect(await marked(trader)).toEqual([
      { seq: 5, side: 'buy', userId: await getId(creator), createdAt: expect.stringMatching(/Z$/) },
      { seq: 3, side: 'sell', userId: await getId(trader), createdAt: expect.stringMatching(/Z$/) },
      { seq: 2, side: 'buy', userId: await getId(trader), createdAt: expect.stringMatching(/Z$/) },
      { seq: 1, side: 'buy', userId: await getId(creator), createdAt: expect.stringMatching(/Z$/) },
    ])
  })

  it('finds trades older than the list of trades, and none of other tokens', async () => {
    const other = await creator.launch({ initialBuyAmount: '1' })
    for (let buys = 0; buys < 55; buys++) await buy(trader)
    expect(await seqsFor(server.visitor())).toEqual([1])
    expect(await seqsFor(trader)).toHaveLength(56)
    expect((await trader.get(`/api/tokens/${other}/trades/marked`)).json()).toHaveLength(1)
  })

  it('shows the newest 200 at most', async () => {
    for (let buys = 0; buys < 205; buys++) await buy(trader, '0.001')
    const seqs = await seqsFor(trader)
    expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([200, 206, 7])
  })

  it('is empty for a token without a trade', async () => {
    tokenId = await creator.launch()
    expect(await marked(trader)).toEqual([])
  })
})
