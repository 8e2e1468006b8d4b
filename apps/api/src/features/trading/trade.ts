import type {
  BuyResult,
  buyInput,
  RugResult,
  rugInput,
  SealResult,
  SellResult,
  sealInput,
  sellInput,
} from '@papermoon/contract/trading'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { type OrderTerms, placeOrder } from '../../place-order.ts'

/** Buys tokens for SOL. Throws `DomainError`s of the engine. */
export async function buy(ctx: Context & OrderTerms, input: z.output<typeof buyInput>): Promise<BuyResult> {
  const { tokenId, solAmount: sol, minTokensOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'buy', userId: ctx.userId, tokenId, sol, minTokensOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { tokensOut: trade.tokenAmount, ...answer, ...marks }
}

/** Sells tokens for SOL. Throws `DomainError`s of the engine. */
export async function sell(ctx: Context & OrderTerms, input: z.output<typeof sellInput>): Promise<SellResult> {
  const { tokenId, tokenAmount: tokens, minSolOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'sell', userId: ctx.userId, tokenId, tokens, minSolOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { solOut: trade.solAmount, ...answer, ...marks }
}

/**
 * Pays the real SOL of a player's own token to the player, and closes the token for good. Throws `DomainError`s of the
 * engine.
 */
export async function rug(ctx: Context & OrderTerms, input: z.output<typeof rugInput>): Promise<RugResult> {
  const { id: tokenId, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'rug', userId: ctx.userId, tokenId, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { ruggedAmount: receipt.ruggedAmount, balance: receipt.balance, ...marks }
}

/** Seals a player's own token, or extends its seal. Throws `DomainError`s of the engine. */
export async function seal(ctx: Context & OrderTerms, input: z.output<typeof sealInput>): Promise<SealResult> {
  const { id: tokenId, term, bag, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'seal', userId: ctx.userId, tokenId, term, bag, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { tokenId, seal: receipt.seal, ...marks }
}
