import { Decimal } from './decimal.ts'

/**
 * The minimum output for a quoted `amount` and a tolerated `slippage` (a fraction from 0 to 1), cut to `decimals`. Round
 * down: an order filled exactly as quoted is never refused for dust. Throws RangeError for other fractions.
 */
export function leastAccepted(amount: Decimal, slippage: Decimal, decimals: number): Decimal {
  if (!(slippage.gte(0) && slippage.lte(1))) throw new RangeError('slippage is a fraction from 0 to 1')
  return amount.sub(amount.mul(slippage)).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
