import { Decimal } from './decimal.ts'

/**
 * The least a trader accepts of a quoted `amount` when `slippage` (a fraction from 0 to 1) may be lost on the way,
 * cut to `decimals`. Round down: an order that is filled exactly as quoted is never refused for dust.
 */
export function leastAccepted(amount: Decimal, slippage: Decimal, decimals: number): Decimal {
  if (!(slippage.gte(0) && slippage.lte(1))) throw new RangeError('slippage is a fraction from 0 to 1')
  return amount.sub(amount.mul(slippage)).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
