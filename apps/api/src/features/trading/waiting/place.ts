import { Decimal, LEAST_SHARE, PRICE_DECIMALS, type Price } from '@papermoon/amm'
import { LASTS_MS, type PlaceWaitingInput, type PlaceWaitingResult } from '@papermoon/contract/waiting-orders'
import type { PlaceOrder } from '@papermoon/engine'
import type { Context } from '../../../context.ts'
import { type OrderTerms, placeOrder } from '../../../place-order.ts'

/** Places or changes a waiting order, or returns what placing it would do. Throws `DomainError`s of the engine. */
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
