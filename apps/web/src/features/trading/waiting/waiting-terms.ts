import {
  buyBound,
  computeMarketCap,
  Decimal,
  FEE_RATE,
  LEAST_SHARE,
  PRICE_DECIMALS,
  SUPPLY,
  saleBound,
} from '@papermoon/amm'
import type { Inputs, Token, WaitingOrder } from '../../../lib/api/api.ts'
import type { AskedChange } from '../../../lib/market/asked-change.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import type { Side } from '../order/preview-trade.ts'

export type WaitingMode = 'limit' | 'stop'
export type Terms = Inputs['waitingOrders']['place']

export type PriceUnit = ValueUnit | 'percent'

/** Converts a typed value to a price in SOL. Returns null for an empty value. */
export function toOrderPrice(text: string, unit: PriceUnit, current: string): Decimal | null {
  if (!/\d/.test(text)) return null
  const value = new Decimal(text)
  const price = {
    price: () => value,
    cap: () => value.div(SUPPLY),
    percent: () => value.div(100).add(1).mul(current),
  }[unit]()
  const cut = price.toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
  return cut.gt(0) ? cut : null
}

/** Formats a price in another unit, for when the player changes the unit. */
export function fromOrderPrice(price: Decimal, unit: PriceUnit, current: string): string {
  if (unit === 'price') return price.toFixed()
  if (unit === 'cap') return computeMarketCap(price).toDecimalPlaces(6, Decimal.ROUND_DOWN).toFixed()
  return price.div(current).sub(1).mul(100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP).toFixed()
}

/**
 * Max time that an order waits, in ms. The values equal those in the contract. The values are repeated here, because
 * the contract's module would also load the contract's schemas.
 */
const DURATION_MS = { hour: 3_600_000, day: 86_400_000, week: 604_800_000, month: 2_592_000_000 }
export type Duration = keyof typeof DURATION_MS

/** Returns the time limit that the player first chose for an order. A new order has the longest time limit. */
export function toDuration(changed: WaitingOrder | null): Duration {
  if (changed === null) return 'month'
  const ms = Date.parse(changed.expiresAt) - Date.parse(changed.placedAt)
  const [duration = 'month'] = (Object.keys(DURATION_MS) as Duration[]).filter((key) => DURATION_MS[key] >= ms)
  return duration
}

export interface Draft {
  readonly mode: WaitingMode
  readonly side: Side
  /** The exact amount as decimal text, or empty if there is none. */
  readonly amount: string
  readonly price: Decimal | null
  /** Whether a stop order sells at any price. */
  readonly isAny: boolean
  /** The target price of a bracket. Null if there is none. */
  readonly target: Decimal | null
  readonly duration: Duration
  readonly changed: WaitingOrder | null
}

/**
 * Returns the part of the stop price that a stop order must receive at least. A changed order keeps the part that its
 * player chose.
 */
function toLeastShare(changed: WaitingOrder | null): Decimal {
  const { stopPrice, leastPrice } = changed ?? { stopPrice: null, leastPrice: null }
  return stopPrice === null || leastPrice === null ? LEAST_SHARE : new Decimal(leastPrice).div(stopPrice)
}

/** Returns the max percentage below its price at which a stop order still sells. */
export function toPercentUnder(changed: WaitingOrder | null): string {
  return new Decimal(1).sub(toLeastShare(changed)).mul(100).toDecimalPlaces(1).toFixed()
}

/** Returns the form's values for changing an order, or empty values for a new order. All prices are in SOL. */
export function toTyped(order: WaitingOrder | null): { amount: string; price: string; target: string; isAny: boolean } {
  if (order === null) return { amount: '', price: '', target: '', isAny: false }
  const { left: amount, price, stopPrice, leastPrice } = order
  if (stopPrice === null) return { amount, price: price ?? '', target: '', isAny: false }
  return { amount, price: stopPrice, target: price ?? '', isAny: leastPrice === null }
}

/** Number of significant digits of a dragged price. The chart's axis shows the same number of digits. */
const MOVED_DIGITS = 5

/** Returns the order with the price to which the player dragged its line. */
export function moveOrder(order: WaitingOrder, { trigger, price }: NonNullable<AskedChange['moved']>): WaitingOrder {
  if (trigger === 'below' && order.kind !== 'buy') return { ...order, stopPrice: price }
  const afterFee = new Decimal(1).sub(FEE_RATE)
  const worst = trigger === 'above' ? new Decimal(price).mul(afterFee) : new Decimal(price).div(afterFee)
  return { ...order, price: worst.toSignificantDigits(MOVED_DIGITS).toDecimalPlaces(PRICE_DECIMALS).toFixed() }
}

/** Returns the terms to send. Returns null while a value is missing. */
export function toTerms(
  token: Pick<Token, 'id'>,
  { mode, side, amount, price, isAny, target, duration, changed }: Draft,
): Terms | null {
  if (amount === '' || !new Decimal(amount).gt(0) || price === null) return null
  const common = { tokenId: token.id, replaces: changed?.id, replacesFills: changed?.fills, lasts: duration }
  if (mode === 'limit') {
    return side === 'buy'
      ? { ...common, kind: 'buy', solAmount: amount, price: price.toFixed() }
      : { ...common, kind: 'sale', tokenAmount: amount, price: price.toFixed() }
  }
  const stop = {
    ...common,
    tokenAmount: amount,
    stopPrice: price.toFixed(),
    leastPrice: isAny ? 'any' : price.mul(toLeastShare(changed)).toDecimalPlaces(PRICE_DECIMALS).toFixed(),
  } as const
  return target === null ? { ...stop, kind: 'stop' } : { ...stop, kind: 'bracket', price: target.toFixed() }
}

export function toBegin({ mode, side, price }: Pick<Draft, 'mode' | 'side' | 'price'>): Decimal | null {
  if (price === null || mode === 'stop') return price
  return side === 'buy' ? buyBound(price) : saleBound(price)
}

/** Names an order: `Limit buy`. */
export function nameOrder({ kind }: Pick<WaitingOrder, 'kind'>): string {
  return { buy: 'Limit buy', sale: 'Limit sell', stop: 'Stop', bracket: 'Bracket' }[kind]
}

/** Returns whichever of the order's prices is nearer to the current price, and its distance in percent. */
export function findDistance(
  { below, above }: WaitingOrder,
  current: string,
): { price: string; percent: string } | null {
  const distances = [below, above].flatMap((price) => {
    if (price === null) return []
    return [{ price, change: new Decimal(price).div(current).sub(1).mul(100) }]
  })
  const [near] = distances.sort((a, b) => a.change.abs().cmp(b.change.abs()))
  return near === undefined ? null : { price: near.price, percent: near.change.toDecimalPlaces(1).toFixed() }
}
