import { cashOutValue, Decimal } from '@papermoon/amm'
import { describe, expect, it } from 'vitest'
import { shareTestServer } from '../support/test-server.ts'

const server = await shareTestServer({ hasJobs: true })
const player = await server.player('Trader')
const playerId: number = (await player.get('/api/auth/user')).json().id
const tokenId = await player.launch({ initialBuyAmount: '5', emoji: '🌙' })

const profile = async (id = playerId) => (await server.visitor().get(`/api/users/${id}/profile`)).json()

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

  it('has neither e-mail nor wallet nor other private data, over REST and tRPC', async () => {
    const typed = await server.visitor().query('users.profile', { id: playerId })
    const rest = await server.visitor().get(`/api/users/${playerId}/profile`)
    expect(typed.json().result.data.json).toEqual(rest.json())
    const { wallet, password_hash } = await server.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
    for (const body of [typed.body, rest.body]) {
      expect(body).not.toContain('papermoon.example')
      expect(body).not.toContain(wallet)
      expect(body).not.toContain(password_hash)
      expect(body).not.toMatch(/e-?mail|wallet|password|warning|session|realized/i)
    }
  })

  it('lists the newest created token first and marks rugged and sealed tokens', async () => {
    const creator = await server.player('creator')
    const first = await creator.launch({ initialBuyAmount: '1' })
    const second = await creator.launch()
    const { id } = (await creator.get('/api/auth/user')).json()
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

  it('omits hidden tokens, which their holders still find and can sell', async () => {
    const creator = await server.player('hidden')
    const { id } = (await creator.get('/api/auth/user')).json()
    const hidden = await creator.launch({ initialBuyAmount: '1' })
    await server.db.updateTable('tokens').set({ hidden_at: new Date() }).where('id', '=', hidden).execute()
    expect(await profile(id)).toMatchObject({ holdings: [], createdTokens: [] })
    expect((await creator.get('/api/portfolio')).json()).toMatchObject([{ tokenId: hidden, isListed: false }])
    const dashboard = (await creator.get('/api/dashboard')).json()
    expect(dashboard).toMatchObject({ holdings: [{ tokenId: hidden, isListed: false }], createdTokens: [] })
  })

  it('answers 404 for an unknown player', async () => {
    const answer = await server.visitor().get('/api/users/2000000000/profile')
    expect([answer.statusCode, answer.body]).toEqual([404, 'User not found.'])
  })
})
