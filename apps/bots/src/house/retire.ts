import { Decimal, leastAccepted, SOL_DECIMALS } from '@papermoon/amm'
import type { Random } from '@papermoon/bots'
import type { AppOutputs } from '@papermoon/client'

type Bag = AppOutputs['portfolio']['get'][number]

/** Part of a bag that one sale sells, at least and at most. */
const PORTION = [0.15, 0.35] as const
/** A bag worth less, in SOL, is sold as a whole. */
const REST_SOL = 0.05
/** How much less than its share of the bag's worth a sale may pay. */
const SLIPPAGE = new Decimal('0.02')

export interface RetiringSale {
  readonly tokenId: number
  readonly tokens: number
  readonly minSolOut: number
}

/** Whether somebody would still pay for the bag. */
export function isSellable({ ruggedAt, cashOutValue }: Bag): boolean {
  return ruggedAt === null && new Decimal(cashOutValue).gt(0)
}

/**
 * The next sale of a bot that leaves: a part of the bag, so that its end is no crash. A part of a bag pays at least its
 * share of what the whole would, since the price falls as one sells.
 */
export function planRetiringSale({ tokenId, amount, cashOutValue }: Bag, random: Random): RetiringSale {
  const isRest = new Decimal(cashOutValue).lt(REST_SOL)
  const portion = isRest ? new Decimal(1) : new Decimal(random.uniform(...PORTION))
  const tokens = new Decimal(amount).mul(portion).toDecimalPlaces(6, Decimal.ROUND_DOWN)
  const least = leastAccepted(new Decimal(cashOutValue).mul(portion), SLIPPAGE, SOL_DECIMALS)
  return { tokenId, tokens: tokens.toNumber(), minSolOut: least.toNumber() }
}
