import { Decimal } from '@papermoon/amm'
import { HISTORY_TIMEFRAMES } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { computeBoards } from '../../src/features/leaderboard/boards/compute-boards.ts'
import { getRank } from '../../src/features/leaderboard/rank.ts'
import { rankWinners } from '../../src/features/leaderboard/ranking/best-flows.ts'
import { getDashboard } from '../../src/features/portfolio/dashboard.ts'
import { getPortfolio, getPortfolioSummary } from '../../src/features/portfolio/get.ts'
import { getHistory, readNetWorth } from '../../src/features/portfolio/history/history.ts'
import { getResults } from '../../src/features/users/results.ts'
import { readOpenApi } from '../support/openapi-document.ts'
import { shareTestServer, type Visitor } from '../support/test-server.ts'
import { anyActions, play, playEach, shareTurnedMarket } from '../support/turned-market.ts'

const HOUR_MS = 3_600_000
/** Check after every fourth action only, because reading all figures takes longer than most actions. */
const LOOK_EVERY = 4

const server = await shareTestServer()
const market = await shareTurnedMarket()

describe('a new player who launches with an initial buy of 40', () => {
  let player: Visitor
  const read = async (path: string) => (await player.get(`/api${path}`)).json()
  beforeAll(async () => {
    player = await server.player('launcher')
    await player.launch({ initialBuyAmount: '40' })
    server.passTime(HOUR_MS)
  })

  it('has lost only the fees, according to the dashboard', async () => {
    const { pnl } = await read('/dashboard')
    expect(pnl).toMatchObject({ total: '-0.259640001', realized: '-0.02', unrealized: '-0.239640001' })
  })

  it('has a net worth of their SOL and the pool’s SOL, which is not counted twice', async () => {
    expect(await read('/portfolio/net-worth')).toMatchObject({
      netWorth: '99.86',
      balance: '59.98',
      cashOutValue: '0',
      ownPools: '39.88',
    })
  })

  it('has lost in 24 hours what their net worth fell by, in summary and chart', async () => {
    expect(await read('/portfolio/summary')).toMatchObject({ profitLoss24h: '-0.14', profitLossPercent24h: '-0.14' })
    const { points } = await read('/portfolio/history?timeframe=24H')
    expect([points[0].netWorth, points.at(-1).netWorth]).toEqual(['100', '99.86'])
    expect((await read('/portfolio/history')).timeframe).toBe('ALL')
  })

  it('holds tokens at their mark value, and has lost what the pool would not pay for them', async () => {
    const [bag] = await read('/portfolio')
    expect(bag).toMatchObject({ cost: '40', cashOutValue: '39.760359999', profitLoss: '-0.239640001' })
    expect(bag).toMatchObject({
      profitLossPercent: '-0.6',
      profitLoss24h: '-0.239640001',
      profitLossPercent24h: '-0.6',
    })
    expect(Number(bag.totalValue)).toBeGreaterThan(90)
  })
})

describe('a player who is alone in a market that others left', () => {
  it('sees no profit anywhere, whatever they do', async () => {
    let told = 0
    let done = 0
    await fc.assert(
      fc.asyncProperty(anyActions, anyActions, async (before, actions) => {
        const others = await Promise.all([market.addPlayer(), market.addPlayer()])
        const left = await play(market, others, before.slice(0, 15))
        const player = await market.addPlayer()
        const look = async () => {
          if (done++ % LOOK_EVERY === 0) told += await expectNoProfit(player)
        }
        await playEach(market, { players: [player], actions, look, launched: left })
        market.passTime(25 * HOUR_MS)
        told += await expectNoProfit(player)
      }),
      { numRuns: 4, endOnFailure: true },
    )
    expect(told).toBeGreaterThan(100)
  })

  /** Checks every profit that the API shows a player. Returns the number of profits. */
  async function expectNoProfit(player: UserId): Promise<number> {
    const { pnl } = await getDashboard(market, player)
    const summary = await getPortfolioSummary(market, player)
    const entries = await getPortfolio(market, player, {})
    const figures = [
      ...[pnl.total, pnl.unrealized, summary.profitLoss, summary.profitLoss24h, summary.profitLossPercent24h ?? '0'],
      ...entries.flatMap((entry) => [entry.profitLoss, entry.profitLossPercent]),
      ...entries.flatMap((entry) => [entry.profitLoss24h, entry.profitLossPercent24h]),
      ...(await Promise.all(HISTORY_TIMEFRAMES.map((timeframe) => findGain(player, timeframe)))),
    ]
    expect(figures.filter((figure) => new Decimal(figure).gt(0))).toEqual([])
    const window = { since: new Date(market.clock.now().getTime() - 6 * HOUR_MS), until: null }
    const winners = await rankWinners(market.db, window, { most: 50, who: 'people' })
    expect(winners.filter(({ userId }) => userId === player)).toEqual([])
    await expectNoPlace(player)
    return figures.length
  }

  /** Checks that the player has no rank, is on no board and has no profitable closed position. */
  async function expectNoPlace(player: UserId): Promise<void> {
    const rank = await getRank(market, player)
    expect(rank.rank).toBeNull()
    const results = await getResults(market, player)
    const shown = [rank.totalPnL ?? '0', results.closedProfit, results.openProfit]
    expect(shown.filter((figure) => new Decimal(figure).gt(0))).toEqual([])
    expect(results.wonPositions).toBe(0)
    const { allTime, creators, rugs } = await computeBoards(market.db)
    expect([...allTime, ...creators].filter(({ userId }) => userId === player)).toEqual([])
    const created = await market.db.selectFrom('tokens').select('id').where('creator_id', '=', player).execute()
    const own = new Set(created.map(({ id }) => id))
    expect(rugs.filter(({ tokenId }) => own.has(tokenId))).toEqual([])
  }

  /** Returns the gain that a chart's timeframe shows. Checks that no point is above the SOL granted. */
  async function findGain(player: UserId, timeframe: (typeof HISTORY_TIMEFRAMES)[number]): Promise<string> {
    const { points, grantedBefore } = await getHistory({ app: market, ip: '' }, player, { timeframe })
    const { netWorth, granted } = await readNetWorth(market, player)
    expect(points.filter((point) => new Decimal(point.netWorth).gt(granted))).toEqual([])
    expect(points.at(-1)?.netWorth).toBe(netWorth)
    return new Decimal(netWorth)
      .sub(points[0]?.netWorth ?? 0)
      .sub(granted)
      .add(grantedBefore)
      .toFixed()
  }
})

describe('public responses', () => {
  it('show no profits except those of boards and closed positions, and none of a single sale', async () => {
    const document = await readOpenApi(server.visitor())
    const told = Object.entries(document.paths)
      .filter(([path]) => !path.startsWith('/api/portfolio') && path !== '/api/dashboard')
      .filter(([, operations]) => /"[^"]*(profit|pnl|gain|realized)[^"]*":/i.test(JSON.stringify(operations)))
      .map(([path]) => path)
    expect(told.sort()).toEqual([
      // Players of the fair only, by token, and after the end.
      '/api/fairs/{id}/story',
      '/api/leaderboard',
      '/api/leaderboard/all-time',
      '/api/leaderboard/bots',
      '/api/leaderboard/rank/{userId}',
      '/api/users/{id}/house-bot',
      '/api/users/{id}/results',
      '/api/users/{userId}/closed/{tokenId}',
      '/api/users/{userId}/wins/{tokenId}',
    ])
  })
})

describe('a player who reset their account', () => {
  it('sees the reset as neither profit nor part of one', async () => {
    const [rugger, player] = [await server.player('rugger'), await server.player('ruined')]
    const tokenId = await rugger.launch()
    await player.post('/api/tokens/buy', { tokenId, solAmount: '95' })
    await rugger.post(`/api/tokens/${tokenId}/rug`, {})
    const before = (await player.get('/api/portfolio/summary')).json()
    expect(before).toMatchObject({ profitLoss24h: '-95', profitLossPercent24h: '-95' })
    expect((await player.post('/api/account/reset', {})).json()).toMatchObject({ granted: '95', netWorth: '100' })
    const after = (await player.get('/api/portfolio/summary')).json()
    expect(after).toMatchObject({ profitLoss24h: '-95', profitLossPercent24h: '-48.72' })
    expect((await player.get('/api/portfolio/net-worth')).json()).toMatchObject({ netWorth: '100', granted: '195' })
    server.passTime(25 * HOUR_MS)
    const later = (await player.get('/api/portfolio/summary')).json()
    expect(later).toMatchObject({ profitLoss24h: '0', profitLossPercent24h: '0' })
  })
})
