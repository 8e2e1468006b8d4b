import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import type { BuyResult, buyInput } from './schemas.ts'
import { tradeView } from './trade-view.ts'

/** Buys tokens for SOL. Throws the engine's `DomainError`s: balance, slippage, closed, busy, unknown outcome. */
export async function buy(app: App, userId: UserId, input: z.output<typeof buyInput>): Promise<BuyResult> {
  const { trade, position } = await app.desk
    .submit({
      kind: 'buy',
      userId,
      tokenId: input.tokenId,
      sol: input.solAmount,
      ...(input.minTokensOut && { minTokensOut: input.minTokensOut }),
      ...(input.requestId && { requestKey: input.requestId }),
    })
    .then((receipt) => tradeView(app, receipt))
  return { tokensOut: trade.tokenAmount, newPrice: trade.spotPrice, trade, position }
}
