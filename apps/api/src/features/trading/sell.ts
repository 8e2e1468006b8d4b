import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { UserId } from '../../ids.ts'
import type { SellResult, sellInput } from './schemas.ts'
import { tradeView } from './trade-view.ts'

/** Sells tokens for SOL. Throws the engine's `DomainError`s: holding, slippage, closed, busy, unknown outcome. */
export async function sell(app: App, userId: UserId, input: z.output<typeof sellInput>): Promise<SellResult> {
  const { trade, position } = await app.desk
    .submit({
      kind: 'sell',
      userId,
      tokenId: input.tokenId,
      tokens: input.tokenAmount,
      ...(input.minSolOut && { minSolOut: input.minSolOut }),
      ...(input.requestId && { requestKey: input.requestId }),
    })
    .then((receipt) => tradeView(app, receipt))
  return { solOut: trade.solAmount, newPrice: trade.spotPrice, trade, position }
}
