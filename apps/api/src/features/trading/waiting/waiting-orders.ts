import { Decimal, LEAST_SHARE, PRICE_DECIMALS, type Price } from '@papermoon/amm'
import {
  type cancelWaitingInput,
  LASTS_MS,
  type ListWaitingInput,
  type PlaceWaitingInput,
  type PlaceWaitingResult,
  type WaitingOrders,
  type WaitingOrderView,
} from '@papermoon/contract/waiting-orders'
import type { PlaceOrder, UserId } from '@papermoon/engine'
import type { z } from 'zod'
import type { OrderTerms } from '../../../caller.ts'
import type { App, Context } from '../../../context.ts'
import { defineError } from '../../../errors.ts'
import { placeOrder } from '../trade.ts'
import { findTokensOfOrders, findWaitingOrders } from './store.ts'

/**
 * Places or changes a waiting order. For a dry run, only returns what placing it would do. Throws `DomainError`s of the
 * engine.
 */
export async function placeWaiting(ctx: Context & OrderTerms, input: PlaceWaitingInput): Promise<PlaceWaitingResult> {
  const { dryRun = false } = input
  const { receipt, marks } = await placeOrder(ctx, toOrder(ctx, input), dryRun)
  return { order: receipt.order, trades: [...receipt.trades], ...marks }
}

function toOrder({ userId, keyId }: OrderTerms, input: PlaceWaitingInput): PlaceOrder {
  const { tokenId, kind, solAmount, tokenAmount, price = null, stopPrice = null, requestId } = input
  const amount = kind === 'buy' ? solAmount : tokenAmount
  if (amount === undefined) throw new Error('an order without an amount was accepted')
  const terms = { kind, amount, price, stopPrice, leastPrice: toLeastPrice(input) }
  return {
    kind: 'place',
    userId,
    tokenId,
    terms,
    lastsMs: LASTS_MS[input.lasts],
    requestKey: requestId,
    replaces: input.replaces,
    replacesFills: input.replacesFills,
    keyId: keyId ?? undefined,
  }
}

function toLeastPrice({ stopPrice, leastPrice }: PlaceWaitingInput): Price | null {
  if (stopPrice === undefined || leastPrice === 'any') return null
  return leastPrice ?? stopPrice.mul(LEAST_SHARE).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
}

/** One of the ids does not belong to any order of the player. */
class NotWaitingError extends defineError('NOT_WAITING', 'You have no such waiting order.') {}

/**
 * Cancels the given orders of a player, or all of the player's waiting orders. If the orders of one token cannot be
 * cancelled, continues with the other tokens. Throws `NotWaitingError`, or the first `DomainError` of the engine.
 */
export async function cancelWaiting(
  ctx: Context & OrderTerms,
  { tokenId, ids }: z.output<typeof cancelWaitingInput>,
): Promise<WaitingOrders> {
  const { userId } = ctx
  const found = await findTokensOfOrders(ctx.app.platform.db, { userId, tokenId, ids })
  if (ids !== undefined && found.length < new Set(ids).size) throw new NotWaitingError()
  const orders = []
  const refusals: unknown[] = []
  // Cancel the orders token by token, because a player can have only eight running orders.
  for (const [ofToken, own] of Map.groupBy(found, ({ token_id }) => token_id)) {
    const order = { kind: 'cancel', userId, tokenId: ofToken, ids: own.map(({ id }) => id) } as const
    try {
      orders.push(...(await placeOrder(ctx, order, false)).receipt.orders)
    } catch (error) {
      refusals.push(error)
    }
  }
  if (refusals.length > 0) throw refusals[0]
  return { orders }
}

/** Lists a player's waiting or ended orders, newest first. */
export async function listWaiting(
  app: App,
  userId: UserId,
  { tokenId, state, limit, cursor }: ListWaitingInput,
): Promise<{ orders: WaitingOrderView[]; nextCursor: number | null }> {
  // Read one extra row to find out whether there is a next page.
  const found = await findWaitingOrders(app.platform.db, { userId, tokenId, state, before: cursor, limit: limit + 1 })
  const orders = found.slice(0, limit)
  return { orders, nextCursor: found.length > limit ? (orders.at(-1)?.id ?? null) : null }
}
