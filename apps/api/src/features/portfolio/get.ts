import assert from 'node:assert/strict'
import { percentText, priceText, solText, tokensText } from '@papermoon/amm'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { findHoldings, type Holding } from '../../holdings.ts'
import type { UserId } from '../../ids.ts'

import { inSnapshot } from '../../snapshot.ts'
import { dayBegin, dayProfit } from './day-profit.ts'
import { NotYourPortfolioError } from './errors.ts'
import { poolText } from './pool-text.ts'
import type { PortfolioEntry, portfolioInput } from './schemas.ts'
import { type DayChange, findDayChanges } from './store.ts'

/** What the signed-in player holds, the most valuable first. Throws `NotYourPortfolioError`. */
export async function portfolioOf(
  app: Pick<App, 'db' | 'clock'>,
  userId: UserId,
  input: z.output<typeof portfolioInput>,
): Promise<PortfolioEntry[]> {
  if (input.userId !== undefined && input.userId !== userId) throw new NotYourPortfolioError()
  const since = dayBegin(app.clock.now())
  return await inSnapshot(app.db, async (snapshot) => {
    const holdings = await findHoldings(snapshot, userId, 'holder')
    const ids = holdings.map((holding) => holding.tokenId)
    const changes = await findDayChanges(snapshot, { userId, since }, ids)
    return holdings.map((holding) => entryOf(holding, changes.get(holding.tokenId)))
  })
}

function entryOf(holding: Holding, change: DayChange | undefined): PortfolioEntry {
  assert(change !== undefined, 'one snapshot shows a holding and its day')
  const { tokenId, name, symbol, emoji, amount, price, pool, value, cashOut, cost, ruggedAt, isListed } = holding
  const profitLoss = value.sub(cost)
  const day = dayProfit(value, change)
  return {
    tokenId,
    tokenName: name,
    tokenSymbol: symbol,
    emoji,
    amount: tokensText(amount),
    currentPrice: priceText(price),
    pool: poolText(pool),
    totalValue: solText(value),
    cashOutValue: solText(cashOut),
    cost: solText(cost),
    profitLoss: solText(profitLoss),
    profitLossPercent: percentText(profitLoss, cost),
    profitLoss24h: solText(day.profit),
    profitLossPercent24h: percentText(day.profit, day.base),
    ruggedAt: ruggedAt?.toISOString() ?? null,
    isListed,
  }
}
