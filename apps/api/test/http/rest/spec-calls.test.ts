import { afterAll, describe, expect, it } from 'vitest'
import { aPng } from '../../support/pictures.ts'
import { registration } from '../../support/test-server.ts'
import { createUploadServer, put } from '../../support/uploader.ts'

/** The calls and entities of the product's specification, with its names, because bots use them. */

const ID = expect.any(Number)
const TEXT = expect.any(String)
const FIGURE = expect.stringMatching(/^-?\d+(\.\d+)?$/)
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
const SIDE = expect.stringMatching(/^(buy|sell)$/)

const CREATOR = 1
const TRADER = 2
const TOKEN = 1
const LAUNCH = {
  name: 'Paper Moon',
  symbol: 'MOON',
  description: 'Made of paper.',
  website: 'https://moon.example/',
  x: 'https://x.com/moon',
  telegram: 'https://t.me/moon',
  emoji: '🌙',
  initialBuyAmount: '5',
}

const token = {
  id: ID,
  name: TEXT,
  symbol: TEXT,
  emoji: TEXT,
  description: TEXT,
  website: TEXT,
  x: TEXT,
  telegram: TEXT,
  supply: '1000000000',
  currentPrice: FIGURE,
  priceChange24h: FIGURE,
  volume24h: FIGURE,
  marketCap: FIGURE,
  createdAt: TIME,
  creator: { id: CREATOR, username: 'creator' },
  pool: { solReserve: FIGURE, tokenReserve: FIGURE },
}
const trade = {
  id: ID,
  side: SIDE,
  solAmount: FIGURE,
  tokenAmount: FIGURE,
  price: FIGURE,
  createdAt: TIME,
  userId: ID,
  username: TEXT,
}
const holder = { userId: ID, username: TEXT, rank: ID, amount: FIGURE }
const position = { tokenId: TOKEN, tokenName: TEXT, tokenSymbol: TEXT, amount: FIGURE }
const holding = { ...position, currentPrice: FIGURE, totalValue: FIGURE, profitLoss: FIGURE, profitLossPercent: FIGURE }
const dashboard = {
  pnl: { total: FIGURE, realized: FIGURE, unrealized: FIGURE },
  holdings: [{ ...position, emoji: TEXT, currentPrice: FIGURE, currentValue: FIGURE }],
  createdTokens: [
    {
      tokenId: TOKEN,
      tokenName: TEXT,
      tokenSymbol: TEXT,
      emoji: TEXT,
      createdAt: TIME,
      currentPrice: FIGURE,
      liquiditySOL: FIGURE,
    },
  ],
}
const profile = {
  user: { username: 'creator', profilePictureUrl: null, solBalance: FIGURE },
  holdings: [{ ...position, totalValue: FIGURE }],
  createdTokens: [{ id: TOKEN, name: TEXT, symbol: TEXT, emoji: TEXT, currentPrice: FIGURE, liquidity: FIGURE }],
}
const winner = { rank: 1, username: TEXT, wallet: TEXT, totalPnL: FIGURE, tradesCount: ID }
const account = {
  id: CREATOR,
  userId: CREATOR,
  username: 'creator',
  email: TEXT,
  profilePictureUrl: null,
  solBalance: FIGURE,
  warning: null,
  isAuthenticated: true,
}

const server = await createUploadServer({ SHOW_RESET_CODES: 'on' })
const creator = await server.player('creator')
const trader = await server.player('trader')
await creator.post('/api/tokens/launch', LAUNCH)
await trader.post('/api/tokens/buy', { tokenId: TOKEN, solAmount: '20' })
await creator.post('/api/tokens/sell', { tokenId: TOKEN, tokenAmount: '100000000' })
afterAll(() => server.close())

describe('the specification’s reads', () => {
  it.each([
    ['/api/tokens', [token]],
    [`/api/tokens/${TOKEN}`, token],
    [`/api/tokens/${TOKEN}/trades`, [trade, trade, trade]],
    [`/api/tokens/${TOKEN}/holders`, [holder, holder]],
    [`/api/charts/${TOKEN}`, { totalTrades: 3 }],
    ['/api/leaderboard', [winner]],
    [`/api/users/${CREATOR}/profile`, profile],
  ])('GET %s answers a guest, each field under its name', async (path, shape) => {
    const answer = await server.visitor().get(path)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, shape])
  })

  it.each([
    ['/api/auth/user', account],
    [`/api/portfolio?userId=${CREATOR}`, [holding]],
    ['/api/dashboard', dashboard],
  ])('GET %s answers a player, each field under its name, and a guest with 401', async (path, shape) => {
    const answer = await creator.get(path)
    expect([answer.statusCode, answer.json()]).toMatchObject([200, shape])
    expect((await server.visitor().get(path)).statusCode).toBe(401)
  })
})

describe('the specification’s mutations', () => {
  const { initialBuyAmount: _optional, ...launch } = LAUNCH
  it.each([
    ['/api/tokens/launch', launch, { token: { ...token, id: ID, creator: { id: TRADER } } }],
    ['/api/tokens/buy', { tokenId: TOKEN, solAmount: '0.5' }, { tokensOut: FIGURE, newPrice: FIGURE }],
    ['/api/tokens/sell', { tokenId: TOKEN, tokenAmount: '1000.5' }, { solOut: FIGURE, newPrice: FIGURE }],
    ['/api/objects/upload', undefined, { uploadURL: expect.stringMatching(/^http/) }],
  ])('POST %s takes its payload from a player, and nothing from a guest', async (path, payload, shape) => {
    const answer = await trader.post(path, payload)
    expect([answer.statusCode, answer.json()]).toMatchObject([path.endsWith('launch') ? 201 : 200, shape])
    expect((await server.visitor().post(path, payload)).statusCode).toBe(401)
  })

  it('PUT /api/users/profile-picture takes the URL to which the file was uploaded', async () => {
    const url = await server.uploadUrl(trader)
    expect((await put(url, await aPng())).status).toBe(200)
    expect(await server.take(trader, url)).toMatchObject({ status: 200 })
    const { user } = (await trader.get(`/api/users/${TRADER}/profile`)).json()
    expect(user.profilePictureUrl).toMatch(/^\/objects\/pictures\//)
  })

  it('POST /api/tokens/{id}/rug takes an empty body, and only from the creator', async () => {
    const id = await creator.launch({ initialBuyAmount: '1' })
    const path = `/api/tokens/${id}/rug`
    expect((await server.visitor().raw('POST', path, '')).statusCode).toBe(401)
    expect((await trader.raw('POST', path, '')).statusCode).toBe(403)
    expect((await creator.raw('POST', path, '')).json()).toMatchObject({ ruggedAmount: '0.997' })
  })

  it('lead from a registration over a password reset to a login and a logout', async () => {
    const { username, email, wallet, password } = registration('walker')
    const visitor = server.visitor()
    const post = async (call: string, payload?: object) => {
      const answer = await visitor.post(`/api/auth/${call}`, payload)
      expect([call, answer.statusCode]).toEqual([call, call === 'register' ? 201 : 200])
      return answer.json()
    }
    await post('register', { username, email, wallet, password })
    expect((await visitor.get('/api/auth/user')).json()).toMatchObject({ username, solBalance: '100' })
    await post('logout')
    expect((await visitor.get('/api/auth/user')).statusCode).toBe(401)
    const asked = await post('forgot-password', { email })
    expect(asked).toEqual({ resetToken: expect.stringMatching(/^\d{6}$/), message: TEXT })
    await post('reset-password', { token: asked.resetToken, newPassword: 'six-6s' })
    await post('login', { email, password: 'six-6s' })
    expect((await visitor.get('/api/auth/user')).json()).toMatchObject({ username })
  })
})
