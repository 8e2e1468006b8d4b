import { Decimal, percentText, solText } from '@papermoon/amm'
import type { App } from '../../context.ts'
import { findHoldings, sumHoldings } from '../../holdings.ts'
import type { UserId } from '../../ids.ts'

import { inSnapshot } from '../../snapshot.ts'
import { dayBegin, dayProfit } from './day-profit.ts'
import type { PortfolioSummary } from './schemas.ts'
import { sumDayChanges } from './store.ts'

/** The sums over everything a player holds. */
export async function portfolioSummaryOf(app: Pick<App, 'db' | 'clock'>, userId: UserId): Promise<PortfolioSummary> {
  const since = dayBegin(app.clock.now())
  return await inSnapshot(app.db, async (snapshot) => {
    const { count, value, cost } = await sumHoldings(snapshot, userId)
    const listed = await findHoldings(snapshot, userId, 'holder')
    const cashOut = listed.reduce((sum, holding) => sum.add(holding.cashOut), new Decimal(0))
    const day = dayProfit(value, await sumDayChanges(snapshot, userId, since))
    const profitLoss = value.sub(cost)
    return {
      totalValue: solText(value),
      cashOutValue: solText(cashOut),
      cost: solText(cost),
      profitLoss: solText(profitLoss),
      profitLossPercent: percentText(profitLoss, cost),
      profitLoss24h: solText(day.profit),
      profitLossPercent24h: percentText(day.profit, day.base),
      holdings: count,
    }
  })
}
