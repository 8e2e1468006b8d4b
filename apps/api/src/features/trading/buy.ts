import type { UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { App } from '../../context.ts'
import type { BuyResult, buyInput } from './schemas.ts'

/** Buys tokens for SOL. Throws the engine's `DomainError`s: balance, slippage, closed, busy, unknown outcome. */
export async function buy(app: App, userId: UserId, input: z.output<typeof buyInput>): Promise<BuyResult> {
  const { tokenId, solAmount: sol, minTokensOut, requestId: requestKey } = input
  const order = { kind: 'buy', userId, tokenId, sol, minTokensOut, requestKey } as const
  const { trade, position, isRepeat } = await app.engine.submit(order)
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { tokensOut: trade.tokenAmount, ...answer, ...(isRepeat && { isReplayed: isRepeat }) }
}
