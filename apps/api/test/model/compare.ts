import { expect } from 'vitest'
import { formatSol, type PlainMarket, type PlainOrder, type PlainToken } from './plain-market.ts'
import { type Ending, type RealMarket, type Stamped, withEnd, withoutStamps } from './real-market.ts'
import { computeNetWorth, dayProfitView, holdersView, pnlView, portfolioView, tokenView, tradesView } from './views.ts'

/** Expects the server's answers about all players and tokens to match the model. */
export async function compareAll(market: PlainMarket, real: RealMarket): Promise<void> {
  await Promise.all([
    ...market.players.map(({ id }) => comparePlayer(market, real, id)),
    ...market.tokens.map((token) => compareToken(market, real, token)),
  ])
}

/** As `compareAll`, but only for the players and tokens of these orders. */
export async function compareTouched(
  market: PlainMarket,
  real: RealMarket,
  orders: readonly PlainOrder[],
): Promise<void> {
  const users = new Set(orders.map(({ userId }) => userId))
  const touched = new Set(orders.map((order) => ('tokenId' in order ? order.tokenId : market.tokens.at(-1)?.id)))
  await Promise.all([
    ...[...users].map((id) => comparePlayer(market, real, id)),
    ...market.tokens.filter(({ id }) => touched.has(id)).map((token) => compareToken(market, real, token)),
  ])
}

async function comparePlayer(market: PlainMarket, real: RealMarket, id: number): Promise<void> {
  const [me, portfolio, summary, dashboard, worth] = await Promise.all([
    real.get<object>('/api/auth/user', id),
    real.get<Ending[]>('/api/portfolio', id),
    real.get<object>('/api/portfolio/summary', id),
    real.get<object>('/api/dashboard', id),
    real.get<object>('/api/portfolio/net-worth', id),
  ])
  const { balance, cashOutValue, ownPools, netWorth } = computeNetWorth(market, id)
  expect(me).toMatchObject({ id, solBalance: formatSol(balance) })
  expect(portfolio.map(withEnd)).toMatchObject(portfolioView(market, id))
  expect(summary).toMatchObject({ profitLoss24h: dayProfitView(market, id) })
  expect(dashboard).toMatchObject({ pnl: pnlView(market, id) })
  expect(worth).toMatchObject({
    balance: formatSol(balance),
    cashOutValue: formatSol(cashOutValue),
    ownPools: formatSol(ownPools),
    netWorth: formatSol(netWorth),
  })
}

async function compareToken(market: PlainMarket, real: RealMarket, token: PlainToken): Promise<void> {
  const [shown, holders, trades] = await Promise.all([
    real.get<Ending>(`/api/tokens/${token.id}`),
    real.get<object[]>(`/api/tokens/${token.id}/holders`),
    real.get<Stamped[]>(`/api/tokens/${token.id}/trades`),
  ])
  expect(withEnd(shown)).toMatchObject(tokenView(market, token))
  expect(holders).toEqual(holdersView(market, token))
  expect(trades.map(withoutStamps)).toEqual(tradesView(token))
  expectInOrder(trades)
}

/** Newest first: ids decrease, and times never increase. */
function expectInOrder(trades: readonly Stamped[]): void {
  const ids = trades.map(({ id }) => id)
  const times = trades.map(({ createdAt }) => createdAt)
  expect([...new Set(ids)].sort((a, b) => b - a)).toEqual(ids)
  expect(times.toSorted().reverse()).toEqual(times)
}
