import { percentText, solText } from '@papermoon/amm'
import type { PortfolioSummary } from '@papermoon/contract/portfolio'
import type { UserId } from '@papermoon/engine'
import type { AppPart } from '../../context.ts'
import { inSnapshot } from '../../database/snapshot.ts'
import { readDayGain } from './history/span-store.ts'
import { sumHoldings } from './holdings.ts'
import { findNetWorth } from './net-worth.ts'

/** Sums all holdings of a player, including hidden tokens. */
export async function getPortfolioSummary(app: AppPart<'db' | 'clock'>, userId: UserId): Promise<PortfolioSummary> {
  return await inSnapshot(app.platform.db, async (snapshot) => {
    const { count, value, cashOut, cost } = await sumHoldings(snapshot, userId)
    const { netWorth } = await findNetWorth(snapshot, userId)
    const day = await readDayGain(app, snapshot, { userId, netWorth })
    const profitLoss = cashOut.sub(cost)
    return {
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
