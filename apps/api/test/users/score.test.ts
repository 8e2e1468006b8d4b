import { Decimal } from '@papermoon/amm'
import type { UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { QueryCache } from '../../src/cache/query-cache.ts'
import { getRank } from '../../src/features/leaderboard/rank.ts'
import { getDashboard } from '../../src/features/portfolio/dashboard.ts'
import { getResults } from '../../src/features/users/results.ts'
import { type Action, anyActions, play, shareTurnedMarket } from '../support/turned-market.ts'

const EVENTS = 40
const PLAYERS = 4

const market = await shareTurnedMarket()

/** Reads each time. */
const queryCache = { get: (_query: unknown, _input: unknown, read: () => Promise<unknown>) => read() } as QueryCache
const sum = (...figures: readonly string[]) => figures.reduce((total, it) => total.add(it), new Decimal(0)).toFixed()

/** The three scores of a player: dashboard, profile and six-hour place, the latter two with what they do not count. */
async function readScores(player: UserId) {
  const parts = {
    platform: { db: market.db, clock: market.clock },
    market: { queryCache },
  }
  const { pnl } = await getDashboard(parts, player)
  const { closedProfit, openProfit, notCounted: left } = await getResults(parts, player)
  const { totalPnL, notCounted } = await getRank(parts, player)
  if (notCounted === null) throw new Error('a person is ranked')
  return {
    total: sum(pnl.total),
    profile: sum(closedProfit, openProfit, left.partialSales, left.rugs, left.launchFees),
    sixHours: sum(totalPnL ?? '0', notCounted.unsold, notCounted.rugs, notCounted.launchFees),
    rugs: [sum(left.rugs), sum(notCounted.rugs), sum(pnl.realizedParts.rugs)],
  }
}

/** An evening within six hours: no wait is longer than some minutes. */
const anyEvening = anyActions.map((actions): Action[] =>
  Array.from({ length: EVENTS }, (_, index) => actions[index % actions.length] as Action).map((action) =>
    action.kind === 'wait' ? { ...action, minutes: action.minutes % 7 } : action,
  ),
)

it('the scores of an evening of forty events differ by exactly what they say is not counted', async () => {
  await fc.assert(
    fc.asyncProperty(anyEvening, async (evening) => {
      const players = await Promise.all(Array.from({ length: PLAYERS }, () => market.addPlayer()))
      await play(market, players, evening)
      for (const player of players) {
        const { total, profile, sixHours } = await readScores(player)
        expect({ profile, sixHours }).toEqual({ profile: total, sixHours: total })
      }
    }),
    { numRuns: 15 },
  )
})

it('a rug that one single player paid for is told in every score, and counted in the dashboard’s alone', async () => {
  const creator = await market.addPlayer()
  const victim = await market.addPlayer()
  const tokenId = await market.launch(creator)
  await market.buy(victim, tokenId, '8')
  await market.rug(creator, tokenId)
  expect(await readScores(creator)).toMatchObject({ total: '7.956', rugs: ['7.976', '7.976', '7.976'] })
  expect((await readScores(victim)).total).toBe('-8')
})
