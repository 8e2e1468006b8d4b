import { computeMarketCap, Decimal, SUPPLY } from '@papermoon/amm'

export type Measure = 'price' | 'marketCap' | 'percent'

export interface AlertGoal {
  readonly direction: 'above' | 'below'
  /** Price per token in SOL. */
  readonly price: Decimal
  /** Market cap in SOL. */
  readonly marketCap: Decimal
  /** Change from the current price, with sign and 2 decimals. */
  readonly change: string
}

const PRICE_DECIMALS = 18

/**
 * Returns the price at which an alert with this value (plain decimal text) is triggered. Returns null for a price that
 * is not above 0 or equals the current price.
 */
export function toAlertGoal(measure: Measure, value: string, priceNow: string): AlertGoal | null {
  if (!/^-?\d+(\.\d+)?$/.test(value)) return null
  const now = new Decimal(priceNow)
  if (now.lte(0)) return null
  const price = toPrice(measure, new Decimal(value), now).toDecimalPlaces(PRICE_DECIMALS, Decimal.ROUND_DOWN)
  if (price.lte(0) || price.eq(now)) return null
  const change = price.div(now).sub(1).mul(100).toFixed(2, Decimal.ROUND_HALF_UP)
  return { direction: price.gt(now) ? 'above' : 'below', price, marketCap: computeMarketCap(price), change }
}

function toPrice(measure: Measure, value: Decimal, now: Decimal): Decimal {
  if (measure === 'percent') return now.mul(value.div(100).add(1))
  return measure === 'price' ? value : value.div(SUPPLY)
}
