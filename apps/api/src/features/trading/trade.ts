/** The procedures that trade, and `placeOrder`, through which every order reaches the engine. */

import { contract } from '@papermoon/contract'
import type { MarketEvent, Order, ReceiptByKind } from '@papermoon/engine'
import { AccountSuspendedError, type OrderTerms } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { implement } from '../../trpc.ts'
import { addFairTerms } from '../fairs/public.ts'

/** Buys tokens for SOL. Throws `DomainError`s of the engine. */
export const buy = implement(contract.trading.buy, async ({ ctx, input }) => {
  const { tokenId, solAmount: sol, minTokensOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'buy', userId: ctx.userId, tokenId, sol, minTokensOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { tokensOut: trade.tokenAmount, ...answer, ...marks }
})

/** Sells tokens for SOL. Throws `DomainError`s of the engine. */
export const sell = implement(contract.trading.sell, async ({ ctx, input }) => {
  const { tokenId, tokenAmount: tokens, minSolOut, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'sell', userId: ctx.userId, tokenId, tokens, minSolOut, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  const { trade, position } = receipt
  const answer = { newPrice: trade.spotPrice, trade, position: { tokenId, ...position } }
  return { solOut: trade.solAmount, ...answer, ...marks }
})

/**
 * Pays the real SOL of a player's own token to the player, and closes the token for good. Throws `DomainError`s of the
 * engine.
 */
export const rug = implement(contract.trading.rug, async ({ ctx, input }) => {
  const { id: tokenId, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'rug', userId: ctx.userId, tokenId, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { ruggedAmount: receipt.ruggedAmount, balance: receipt.balance, ...marks }
})

/** Seals a player's own token, or extends its seal. Throws `DomainError`s of the engine. */
export const seal = implement(contract.trading.seal, async ({ ctx, input }) => {
  const { id: tokenId, term, bag, requestId: requestKey, dryRun = false } = input
  const order = { kind: 'seal', userId: ctx.userId, tokenId, term, bag, requestKey } as const
  const { receipt, marks } = await placeOrder(ctx, order, dryRun)
  return { tokenId, seal: receipt.seal, ...marks }
})

/** The result of an order or of a dry run. */
export interface Placed<Receipt> {
  readonly receipt: Receipt
  /** The events that would be published if the dry run were a real order. */
  readonly events: readonly MarketEvent[]
  /** The response fields that mark a repeated order or a dry run. */
  readonly marks: { readonly isReplayed?: true; readonly dryRun?: true }
}

/** Submits an order. For a dry run, only checks it. Throws AccountSuspendedError and the engine's `DomainError`s. */
export async function placeOrder<O extends Order>(
  ctx: Context & OrderTerms,
  order: O,
  isDryRun: boolean,
  /** The fair in which a token is launched. */
  fairId?: number,
): Promise<Placed<ReceiptByKind[O['kind']]>> {
  const { app, reportPosition } = ctx
  const plain = addTerms(ctx, order)
  // Inside the fairs' own app, `market.fairs` is undefined.
  const isInFair = app.market.fairs === undefined
  const termed = isInFair ? await addFairTerms(app, { order: plain, fairId, isProgram: ctx.apiKey !== null }) : plain
  if (isDryRun) {
    const { receipt, events } = await app.market.engine.dryRun(termed)
    return { receipt, events, marks: { ...toMarks(receipt), dryRun: true } }
  }
  const receipt = await app.market.engine.submit(termed)
  reportPosition?.()
  return { receipt, events: [], marks: toMarks(receipt) }
}

function toMarks({ isRepeat }: { readonly isRepeat?: true }) {
  return isRepeat ? { isReplayed: isRepeat } : {}
}

function addTerms<O extends Order>({ isBot, isSuspended, spendingKeyId, span }: Context & OrderTerms, order: O): O {
  const isCounted = spendingKeyId !== null && spends(order)
  const isPlain = !isBot && !isSuspended && !isCounted && span == null
  if (isPlain) return order
  return {
    ...order,
    isBot,
    ...(isCounted && { spendingKeyId }),
    ...(isSuspended && { refusal: refuseNewOrder(order) }),
    ...(span != null && { trace: span }),
  }
}

function spends(order: Order): boolean {
  return order.kind === 'buy' || order.kind === 'launch' || (order.kind === 'place' && order.terms.kind === 'buy')
}

/**
 * Returns the error for a new order, which does not apply to a repeated order. Throws the error if the order cannot be
 * a repeated one.
 */
function refuseNewOrder(order: Order): AccountSuspendedError | undefined {
  const { kind, requestKey } = order
  if (kind === 'sell' || kind === 'cancel' || (kind === 'place' && !spends(order))) return undefined
  if (requestKey === undefined) throw new AccountSuspendedError()
  return new AccountSuspendedError()
}
