import { Decimal } from './decimal.ts'

/**
 * Returns `change` as a percentage of `base` for display. The text has 2 decimals, rounded half up. Returns "0" if
 * `base` is 0.
 */
export function percentText(change: Decimal, base: Decimal): string {
  if (base.isZero()) return '0'
  const percent = change.mul(100).div(base).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
  // Return "0", because a tiny loss would round to minus zero.
  return percent.isZero() ? '0' : percent.toFixed()
}
