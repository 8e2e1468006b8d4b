import { cashOutValue, Decimal } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import { aToken } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getDashboard } from '../../src/features/portfolio/dashboard.ts'
import { getPortfolio, getPortfolioSummary } from '../../src/features/portfolio/get.ts'
import { worthByJournal } from '../support/expected-worth.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { anyActions, play, shareTurnedMarket } from '../support/turned-market.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const sum = (texts: readonly string[]) => texts.reduce((sum, text) => sum.add(text), new Decimal(0)).toFixed()

const market = await shareTurnedMarket()
const server = await shareTestServer()

describe('a portfolio', () => {
  let player: UserId
  let other: UserId
  let tokenId: TokenId
  beforeEach(async () => {
    player = await market.addPlayer()
    other = await market.addPlayer()
    tokenId = await market.launch(other)
  })
  const entries = (userId = player) => getPortfolio(market, userId, {})
  const entry = async () => {
    const [only, ...more] = await entries()
    if (only === undefined || more.length > 0) throw new Error('not one entry')
    return only
  }
  const priceNow = async () => {
    return new Decimal((await findPool()).price)
  }
  const findPool = () =>
    market.db.selectFrom('pools').selectAll().where('token_id', '=', tokenId).executeTakeFirstOrThrow()
  const toMarkValue = (amount: Decimal, price: Decimal) => price.mul(amount).toDecimalPlaces(9)

  it('is empty before the first trade, and after everything is sold', async () => {
    expect(await entries()).toEqual([])
    await market.buy(player, tokenId, '5')
    await market.sellAll(player, tokenId)
    expect(await entries()).toEqual([])
    expect(await getPortfolioSummary(market, player)).toMatchObject({ totalValue: '0', cashOutValue: '0', holdings: 0 })
  })

  it('shows each token’s mark value, cash-out value and cost', async () => {
    await market.buy(player, tokenId, '5')
    await market.buy(other, tokenId, '20')
    const amount = await market.heldBy(player, tokenId)
    const value = toMarkValue(amount, await priceNow())
    const pool = await findPool()
    const cashOut = cashOutValue(
      { sol: new Decimal(pool.sol_reserve), virtualSol: new Decimal(30), tokens: new Decimal(pool.token_reserve) },
      amount,
    )
    const { name, symbol, emoji } = aToken
    expect(await entries()).toEqual([
      {
        tokenId,
        tokenName: name,
        tokenSymbol: symbol,
        emoji,
        amount: amount.toFixed(),
        currentPrice: (await priceNow()).toFixed(),
        pool: { solReserve: '54.925', tokenReserve: new Decimal(pool.token_reserve).toFixed(), realSol: '24.925' },
        totalValue: value.toFixed(),
        cashOutValue: cashOut.toFixed(),
        cost: '5',
        profitLoss: cashOut.sub(5).toFixed(),
        profitLossPercent: cashOut.sub(5).mul(20).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(),
        profitLoss24h: cashOut.sub(5).toFixed(),
        profitLossPercent24h: cashOut.sub(5).mul(20).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed(),
        ruggedAt: null,
        sealedUntil: null,
        isListed: true,
      },
    ])
  })

  it('shows a rugged token as a loss of its full cost, but not as a loss of a later day', async () => {
    await market.buy(player, tokenId, '5')
    await market.rug(other, tokenId)
    expect(await entry()).toMatchObject({
      currentPrice: '0',
      totalValue: '0',
      cashOutValue: '0',
      cost: '5',
      profitLoss: '-5',
      profitLossPercent: '-100',
      profitLoss24h: '-5',
      profitLossPercent24h: '-100',
      ruggedAt: market.clock.now().toISOString(),
    })
    market.passTime(DAY_MS + MINUTE_MS)
    expect(await entry()).toMatchObject({ profitLoss: '-5', profitLoss24h: '0', profitLossPercent24h: '0' })
  })

  it('counts the price change of tokens that were held for all of 24 hours', async () => {
    await market.buy(player, tokenId, '5')
    const then = new Decimal((await entry()).cashOutValue)
    market.passTime(DAY_MS + MINUTE_MS)
    expect(await entry()).toMatchObject({ profitLoss24h: '0', profitLossPercent24h: '0' })
    await market.buy(other, tokenId, '20')
    const { cashOutValue: now, profitLoss, profitLoss24h, profitLossPercent24h } = await entry()
    const rise = new Decimal(now).sub(then)
    expect(profitLoss24h).toBe(rise.toFixed())
    expect(profitLossPercent24h).toBe(rise.mul(100).div(then).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed())
    expect(profitLoss).not.toBe(profitLoss24h)
  })

  it('counts SOL paid and received in 24 hours as neither profit nor loss', async () => {
    await market.buy(player, tokenId, '5')
    const then = (await entry()).cashOutValue
    market.passTime(DAY_MS + MINUTE_MS)
    await market.buy(player, tokenId, '3')
    const { trade } = await market.engine.submit({
      kind: 'sell',
      userId: player,
      tokenId,
      tokens: new Decimal(1_000_000),
    })
    const { cashOutValue: now, profitLoss24h } = await entry()
    expect(profitLoss24h).toBe(new Decimal(now).sub(then).sub(3).add(trade.solAmount).toFixed())
  })

  it('starts its 24 hours at a full minute, for prices and trades', async () => {
    await market.buy(player, tokenId, '5')
    const then = (await entry()).cashOutValue
    market.passTime(DAY_MS)
    expect(await entry()).toMatchObject({ profitLoss24h: '0' })
    // Wait exactly until the next full minute.
    market.passTime(MINUTE_MS - (market.clock.now().getTime() % MINUTE_MS))
    await market.buy(other, tokenId, '20')
    await market.buy(player, tokenId, '1')
    market.passTime(DAY_MS)
    const { cashOutValue: now, profitLoss24h } = await entry()
    expect(profitLoss24h).toBe(new Decimal(now).sub(then).sub(1).toFixed())
  })

  it('has no percentage for a day that started with nothing', async () => {
    const poor = await market.addPlayer('5')
    await market.buy(poor, tokenId, '5')
    await market.rug(other, tokenId)
    expect(await getPortfolioSummary(market, poor)).toMatchObject({ profitLoss24h: '-5', profitLossPercent24h: '-100' })
    market.passTime(DAY_MS + MINUTE_MS)
    expect(await getPortfolioSummary(market, poor)).toMatchObject({ profitLoss24h: '0', profitLossPercent24h: null })
  })

  it('is consistent after any trades', async () => {
    let held = 0
    await fc.assert(
      fc.asyncProperty(anyActions, async (actions) => {
        const players = await Promise.all(Array.from({ length: 3 }, () => market.addPlayer()))
        await play(market, players, actions)
        for (const userId of players) held += await addsUp(userId)
      }),
      { numRuns: 8 },
    )
    expect(held).toBeGreaterThan(0)
  })

  /** Checks all identities between a player's figures. Returns the number of holdings. */
  async function addsUp(userId: UserId): Promise<number> {
    const { pnl, holdings, createdTokens } = await getDashboard(market, userId)
    const list = await entries(userId)
    const summary = await getPortfolioSummary(market, userId)
    const account = await market.db
      .selectFrom('accounts')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(pnl.total).toBe(sum([pnl.realized, pnl.unrealized]))
    expect(pnl.realized).toBe(sum(Object.values(pnl.realizedParts)))
    // Check that the net worth after selling everything equals grants plus profit.
    expect(sum([account.sol_balance, summary.cashOutValue])).toBe(sum(['100', pnl.total]))
    expect(pnl.unrealized).toBe(sum(list.map(({ profitLoss }) => profitLoss)))
    expect(holdings.map(({ tokenId: id, currentValue }) => [id, currentValue])).toEqual(
      list.map(({ tokenId: id, totalValue }) => [id, totalValue]),
    )
    expect(summary.totalValue).toBe(sum(list.map(({ totalValue }) => totalValue)))
    expect(summary.cashOutValue).toBe(sum(list.map(({ cashOutValue }) => cashOutValue)))
    expect(summary.cost).toBe(sum(list.map(({ cost }) => cost)))
    expect(summary.profitLoss).toBe(pnl.unrealized)
    expect(summary.holdings).toBe(list.length)
    for (const { totalValue, cashOutValue } of list) expect(new Decimal(cashOutValue).lte(totalValue)).toBe(true)
    expect(createdTokens.length).toBeGreaterThan(0)
    expect(summary.profitLoss24h).toBe((await dayByJournal(userId)).toFixed())
    return list.length
  }

  /** Returns a day's profit, computed from the journal. The first grant is the only one in it. */
  async function dayByJournal(userId: UserId): Promise<Decimal> {
    const nowMs = market.clock.now().getTime()
    const since = new Date(Math.ceil((nowMs - DAY_MS) / MINUTE_MS) * MINUTE_MS)
    const first = await market.db
      .selectFrom('grants')
      .selectAll()
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    const start = first.created_at >= since ? first.amount : (await worthByJournal(market, userId, since)).netWorth
    return (await worthByJournal(market, userId, new Date(nowMs + 1))).netWorth.sub(start)
  }
})

describe('GET /api/portfolio and /api/dashboard', () => {
  let player: Visitor
  let playerId: number
  let tokenId: number
  beforeAll(async () => {
    player = await server.player('owner')
    playerId = (await player.get('/api/auth/user')).json().id
    tokenId = await player.launch({ initialBuyAmount: '5' })
  })

  it('returns the signed-in player’s own portfolio, with or without their id', async () => {
    const own = await player.get('/api/portfolio')
    expect(own.json()).toMatchObject([{ tokenId, tokenSymbol: 'MOON', cost: '5', amount: expect.any(String) }])
    expect((await player.get(`/api/portfolio?userId=${playerId}`)).json()).toEqual(own.json())
    expect((await player.query('portfolio.get', {})).json().result.data.json).toEqual(own.json())
  })

  it('rejects another player’s portfolio with a sentence, and guests', async () => {
    const stranger = await server.player('stranger')
    const refused = await stranger.get(`/api/portfolio?userId=${playerId}`)
    expect([refused.statusCode, refused.body]).toEqual([403, 'You can only see your own portfolio.'])
    const problem = await stranger.get(`/api/portfolio?userId=${playerId}`, { accept: 'application/json' })
    expect(problem.json()).toMatchObject({ status: 403, code: 'NOT_YOURS' })
    for (const url of ['/api/portfolio', '/api/portfolio/summary', '/api/dashboard']) {
      expect((await server.visitor().get(url)).statusCode).toBe(401)
    }
  })

  it('shows how much SOL a token’s pool holds, and until when it is sealed', async () => {
    const { seal } = (await player.post(`/api/tokens/${tokenId}/seal`, { term: 'day' })).json()
    const { holdings, createdTokens, pnl } = (await player.get('/api/dashboard')).json()
    expect(createdTokens).toMatchObject([{ tokenId, tokenSymbol: 'MOON', liquiditySOL: '4.985', ruggedAt: null }])
    expect(pnl.realizedParts).toEqual({ closedTrades: '0', launchFees: '-0.02', rugs: '0' })
    const listed = [...(await player.get('/api/portfolio')).json(), ...holdings, ...createdTokens]
    expect(listed.map(({ sealedUntil }) => sealedUntil)).toEqual(Array(3).fill(seal.liquidityUntil))
  })
})
