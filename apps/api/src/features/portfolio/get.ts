import { percentText, priceText, solText, unrealizedProfit } from '@papermoon/amm'
import type { PortfolioEntry, PortfolioSummary, portfolioInput } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { defineError } from '../../errors.ts'
import { lastDayStart } from '../../lib/durations.ts'
import { type HoldingGain, readGain, readHoldingGains } from './history/span-store.ts'
import { findHoldings, type Holding, sumHoldings, toPoolState, toShownHolding } from './holdings.ts'

/** The caller asked for another player's portfolio. */
class NotYourPortfolioError extends defineError('NOT_YOURS', 'You can only see your own portfolio.') {}

/** The queue of histories is full, or the database is too slow to read even the current net worth. */
export class HistoryBusyError extends defineError(
  'BUSY',
  'The server is busy with other portfolio histories. Please try again in a moment.',
  { retryAfterS: 2 },
) {}

/** Reads the logged-in player's holdings, the most valuable first. Throws `NotYourPortfolioError`. */
export async function getPortfolio(
  app: AppPart<'db' | 'clock' | 'memory'>,
  userId: UserId,
  input: z.output<typeof portfolioInput>,
): Promise<PortfolioEntry[]> {
  if (input.userId !== undefined && input.userId !== userId) throw new NotYourPortfolioError()
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const holdings = await findHoldings(snapshot, userId, 'holder')
    const computeGain = await readHoldingGains(app, snapshot, userId)
    return holdings.map((holding) => toEntry(holding, computeGain))
  })
}

function toEntry(holding: Holding, computeGain: HoldingGain): PortfolioEntry {
  const { tokenId, price, pool, value, cashOut, cost, isListed } = holding
  const profitLoss = unrealizedProfit(pool, holding)
  const day = computeGain(tokenId, cashOut)
  return {
    ...toShownHolding(holding),
    currentPrice: priceText(price),
    pool: toPoolState(pool),
    totalValue: solText(value),
    cost: solText(cost),
    profitLoss: solText(profitLoss),
    profitLossPercent: percentText(profitLoss, cost),
    profitLoss24h: solText(day.profit),
    profitLossPercent24h: percentText(day.profit, day.base),
    isListed,
  }
}

/** Sums all holdings of a player, including hidden tokens. */
export async function getPortfolioSummary(
  app: AppPart<'db' | 'clock' | 'memory'>,
  userId: UserId,
): Promise<PortfolioSummary> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const { count, value, cashOut, cost } = await sumHoldings(snapshot, userId)
    const day = await readGain(app, snapshot, { userId, since: lastDayStart(app.platform.clock.now()) })
    const profitLoss = cashOut.sub(cost)
    return {
      netWorth: solText(day.netWorth),
      totalValue: solText(value),
      cashOutValue: solText(cashOut),
      cost: solText(cost),
      profitLoss: solText(profitLoss),
      profitLossPercent: percentText(profitLoss, cost),
      profitLoss24h: solText(day.profit),
      profitLossPercent24h: day.base.isZero() ? null : percentText(day.profit, day.base),
      holdings: count,
    }
  })
}
