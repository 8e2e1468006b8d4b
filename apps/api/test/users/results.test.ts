import { Decimal, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/engine'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { getRank } from '../../src/features/leaderboard/rank.ts'
import { getDashboard } from '../../src/features/portfolio/dashboard.ts'
import { getResults } from '../../src/features/users/results.ts'
import { type Action, anyActions, play, queryCache, shareTurnedMarket } from '../support/turned-market.ts'

const market = await shareTurnedMarket()

describe('results over closed positions', () => {
  let player: UserId
  let other: UserId
  let tokenId: TokenId
  beforeEach(async () => {
    player = await market.addPlayer()
    other = await market.addPlayer()
    tokenId = await market.launch(other)
  })
  const results = (id = player) => getResults({ platform: { db: market.db }, market: { queryCache } }, id)

  const sellHalf = async () => {
    const half = (await market.heldBy(player, tokenId)).div(2).toDecimalPlaces(6)
    const { trade } = await market.engine.submit({ kind: 'sell', userId: player, tokenId, tokens: half })
    return new Decimal(trade.solAmount)
  }

  it('are zeros for a player who never traded', async () => {
    const nothing = { closedProfit: '0', closedPositions: 0, wonPositions: 0, openProfit: '0', openPositions: 0 }
    expect(await results()).toEqual({ ...nothing, notCounted: { partialSales: '0', rugs: '0', launchFees: '0' } })
  })

  it('ignore a holding of which only half was sold, for any price', async () => {
    await market.buy(player, tokenId, '10')
    await market.buy(other, tokenId, '50')
    const received = await sellHalf()
    expect(received.gt(10)).toBe(true)
    expect(await results()).toMatchObject({ closedProfit: '0', closedPositions: 0, wonPositions: 0, openPositions: 1 })
  })

  it('are all SOL received minus all SOL paid, once nothing is held', async () => {
    await market.buy(player, tokenId, '10')
    await market.buy(other, tokenId, '50')
    const first = await sellHalf()
    await market.buy(player, tokenId, '1')
    const second = await market.sellAll(player, tokenId)
    expect(await results()).toMatchObject({
      closedPositions: 1,
      wonPositions: 1,
      openProfit: '0',
      openPositions: 0,
      closedProfit: solText(first.add(second).sub(11)),
    })
  })

  it('distinguish one position in a token from the next', async () => {
    await market.buy(player, tokenId, '10')
    const lost = (await market.sellAll(player, tokenId)).sub(10)
    await market.buy(player, tokenId, '2')
    await market.buy(other, tokenId, '20')
    const won = (await market.sellAll(player, tokenId)).sub(2)
    await market.buy(player, tokenId, '3')
    expect(await results()).toMatchObject({
      closedPositions: 2,
      wonPositions: 1,
      openPositions: 1,
      closedProfit: solText(lost.add(won)),
    })
  })

  it('include the loss of a rugged token, which nobody can sell any more', async () => {
    await market.buy(player, tokenId, '10')
    const received = await sellHalf()
    await market.rug(other, tokenId)
    expect(await results()).toMatchObject({
      closedPositions: 1,
      wonPositions: 0,
      openProfit: '0',
      openPositions: 0,
      closedProfit: solText(received.sub(10)),
    })
  })

  it('include what open positions would bring, minus their cost', async () => {
    await market.buy(player, tokenId, '10')
    const { openProfit, openPositions } = await results()
    expect(openPositions).toBe(1)
    expect(new Decimal(openProfit).lt(0)).toBe(true)
    const received = await market.sellAll(player, tokenId)
    expect(openProfit).toBe(solText(received.sub(10)))
  })
})

const EVENTS = 40
const PLAYERS = 4

const sum = (...figures: readonly string[]) => figures.reduce((total, it) => total.add(it), new Decimal(0)).toFixed()

/**
 * Returns the three scores of a player: dashboard, profile and six hours. The last two include what they say they do
 * not count.
 */
async function readScores(player: UserId) {
  const parts = {
    platform: { db: market.db, clock: market.clock },
    market: market.market,
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

/** Generates an evening within six hours, with waits of a few minutes at most. */
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

it('a rug pull that only one player paid for is shown in every score, but counts only in the dashboard’s', async () => {
  const creator = await market.addPlayer()
  const victim = await market.addPlayer()
  const tokenId = await market.launch(creator)
  await market.buy(victim, tokenId, '8')
  await market.rug(creator, tokenId)
  expect(await readScores(creator)).toMatchObject({ total: '7.956', rugs: ['7.976', '7.976', '7.976'] })
  expect((await readScores(victim)).total).toBe('-8')
})
