import assert from 'node:assert/strict'
import { percentText, priceText, solText, tokensText, unrealizedProfit } from '@papermoon/amm'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import { findHoldings, type Holding } from '../../holdings.ts'
import type { UserId } from '../../ids.ts'
import { inSnapshot } from '../../snapshot.ts'
import { dayBegin, holdingGain } from './day.ts'
import { findHoldingSpans, type HoldingSpan } from './day-store.ts'
import { NotYourPortfolioError } from './errors.ts'
import { poolText } from './pool-text.ts'
import type { PortfolioEntry, portfolioInput } from './schemas.ts'

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
    const spans = await findHoldingSpans(snapshot, { userId, since }, ids)
    return holdings.map((holding) => entryOf(holding, spans.get(holding.tokenId)))
  })
}

function entryOf(holding: Holding, span: HoldingSpan | undefined): PortfolioEntry {
  assert(span !== undefined, 'one snapshot shows a holding and its day')
  const { tokenId, name, symbol, emoji, amount, price, pool, value, cashOut, cost, ruggedAt, isListed } = holding
  const profitLoss = unrealizedProfit(pool, holding)
  const day = holdingGain(cashOut, span)
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
