import { Decimal } from './decimal.ts'

/**
 * Returns the minimum output for a quoted `amount` and a `slippage` tolerance (a fraction from 0 to 1), truncated to
 * `decimals`. Rounds down, so that an order that is filled exactly as quoted is never rejected. Throws RangeError if
 * the fraction is below 0 or above 1.
 */
export function leastAccepted(amount: Decimal, slippage: Decimal, decimals: number): Decimal {
  if (!(slippage.gte(0) && slippage.lte(1))) throw new RangeError('slippage is a fraction from 0 to 1')
  return amount.sub(amount.mul(slippage)).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
