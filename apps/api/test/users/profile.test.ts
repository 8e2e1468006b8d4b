import { cashOutValue, Decimal } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { hide } from '../../src/commands/admin/moderate.ts'
import { readPages } from '../support/read-pages.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'

const server = await shareTestServer()
const player = await server.player('Trader')
const playerId: number = await player.id()
const tokenId = await player.launch({ initialBuyAmount: '5', emoji: '🌙' })

const profile = async (id = playerId) => (await server.visitor().get(`/api/users/${id}/profile`)).json()
const record = async (id: number) => (await server.visitor().get(`/api/users/${id}/launch-record`)).json()
const trades = async (id: number) => (await server.visitor().get(`/api/users/${id}/trades`)).json()

async function createPlayer(name: string): Promise<{ player: Visitor; id: number }> {
  const player = await server.player(name)
  return { player, id: await player.id() }
}

describe('GET /api/users/{id}/profile', () => {
  it('shows a guest the balance, holdings and created tokens of a player, and nothing else', async () => {
    const pool = (await player.get(`/api/tokens/${tokenId}`)).json().pool
    const { amount } = (await player.get(`/api/tokens/${tokenId}/position`)).json()
    const [sol, tokens] = [new Decimal(pool.solReserve), new Decimal(pool.tokenReserve)]
    expect(await profile()).toEqual({
      user: {
        id: playerId,
        username: 'Trader',
        isBot: false,
        emoji: null,
        about: null,
        profilePictureUrl: null,
        solBalance: '94.98',
        createdAt: expect.stringMatching(/Z$/),
      },
      holdings: [
        {
          tokenId,
          tokenName: 'Paper Moon',
          tokenSymbol: 'MOON',
          emoji: '🌙',
          amount,
          totalValue: expect.stringMatching(/^\d+(\.\d{1,9})?$/),
          cashOutValue: cashOutValue({ sol, virtualSol: new Decimal(30), tokens }, new Decimal(amount)).toFixed(),
          ruggedAt: null,
          sealedUntil: null,
        },
      ],
      createdTokens: [
        {
          id: tokenId,
          name: 'Paper Moon',
          symbol: 'MOON',
          emoji: '🌙',
          createdAt: expect.stringMatching(/Z$/),
          currentPrice: expect.stringMatching(/^0\.0+\d+$/),
          liquidity: '4.985',
          ruggedAt: null,
          sealedUntil: null,
        },
      ],
    })
  })

  it('lists the newest created token first and marks rugged and sealed tokens', async () => {
    const creator = await server.player('creator')
    const first = await creator.launch({ initialBuyAmount: '1' })
    const second = await creator.launch()
    const id = await creator.id()
    await creator.post(`/api/tokens/${first}/rug`, {})
    const sealed = (await creator.post(`/api/tokens/${second}/seal`, { term: 'hour' })).json()
    const { createdTokens, holdings } = await profile(id)
    expect(createdTokens[0].sealedUntil).toBe(sealed.seal.liquidityUntil)
    expect(createdTokens).toMatchObject([
      { id: second, liquidity: '0', ruggedAt: null },
      { id: first, liquidity: '0', currentPrice: '0', ruggedAt: expect.stringMatching(/Z$/) },
    ])
    expect(holdings).toMatchObject([
      { tokenId: first, totalValue: '0', cashOutValue: '0', ruggedAt: expect.stringMatching(/Z$/) },
    ])
  })
})

describe('GET /api/users/{id}/launch-record', () => {
  it('has zeros for a player who launched nothing', async () => {
    const { id } = await createPlayer('newcomer')
    expect(await record(id)).toEqual({ launched: 0, rugged: 0, ruggedAmount: '0', fairGame: 0, scoundrel: 0 })
  })

  it('counts each launch and rug pull at once, with the SOL that was drained', async () => {
    const { player, id } = await createPlayer('puller')
    const first = await player.launch({ initialBuyAmount: '5' })
    expect(await record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
    const second = await player.launch({ initialBuyAmount: '1' })
    await player.launch()
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 0 })
    await player.post(`/api/tokens/${first}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 1, ruggedAmount: '4.985' })
    await player.post(`/api/tokens/${second}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 3, rugged: 2, ruggedAmount: '5.982' })
  })

  it('includes this player’s tokens only, whoever trades them', async () => {
    const { player, id } = await createPlayer('honest')
    const tokenId = await player.launch()
    await record(id)
    const { player: other } = await createPlayer('rugger')
    await other.post('/api/tokens/buy', { tokenId, solAmount: '2' })
    const foreign = await other.launch()
    await other.post(`/api/tokens/${foreign}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
  })

  it('leaves out hidden tokens', async () => {
    const { player, id } = await createPlayer('hider')
    const hidden = await player.launch({ initialBuyAmount: '5' })
    await player.launch()
    await player.post(`/api/tokens/${hidden}/rug`, {})
    expect(await record(id)).toMatchObject({ launched: 2, rugged: 1 })
    await hide(server.database, String(hidden))
    await expect.poll(() => record(id)).toMatchObject({ launched: 1, rugged: 0, ruggedAmount: '0' })
  })
})

describe('GET /api/users/{id}/trades', () => {
  it('lists each trade at once, newest first, of this player only', async () => {
    const [player, other] = [await server.player('seller'), await server.player('other')]
    const id = await player.id()
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

  it('shows that a token was rugged, even if the response was cached before', async () => {
    const [player, creator] = [await server.player('victim'), await server.player('thief')]
    const id = await player.id()
    const tokenId = await creator.launch()
    await player.post('/api/tokens/buy', { tokenId, solAmount: '1' })
    expect(await trades(id)).toMatchObject([{ tokenId, ruggedAt: null }])
    await creator.post(`/api/tokens/${tokenId}/rug`, {})
    expect(await trades(id)).toMatchObject([{ tokenId, ruggedAt: expect.any(String) }])
  })

  it('is paged by the Link header, each trade once', async () => {
    const player = await server.player('pager')
    const id = await player.id()
    const tokenId = await player.launch()
    for (let count = 0; count < 5; count++) await player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })
    const pages = await readPages<{ seq: number }>(server.visitor(), `/api/users/${id}/trades?limit=2`)
    const seqs = pages.flat().map(({ seq }) => seq)
    expect(seqs).toEqual([5, 4, 3, 2, 1])
    const orders = (of: number) => player.get(`/api/orders?tokenId=${of}`)
    expect((await orders(tokenId)).json()).toHaveLength(6)
    expect((await orders(2_000_000_000)).json()).toEqual([])
  })

  it('contains the latest 20', async () => {
    const player = await server.player('busy')
    const id = await player.id()
    const tokenId = await player.launch()
    for (let count = 0; count < 22; count++) await player.post('/api/tokens/buy', { tokenId, solAmount: '0.1' })
    expect((await trades(id)).map(({ seq }: { seq: number }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, index) => 22 - index),
    )
  })
})
