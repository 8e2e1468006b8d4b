import { Decimal } from './decimal.ts'

/** `change` as a percentage of `base` with 2 decimals, rounded half up: for display only. "0" if `base` is 0. */
export function percentText(change: Decimal, base: Decimal): string {
  if (base.isZero()) return '0'
  const percent = change.mul(100).div(base).toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
  // A tiny loss rounds to minus zero.
  return percent.isZero() ? '0' : percent.toFixed()
}
