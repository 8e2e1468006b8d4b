import { Decimal as DecimalJs } from 'decimal.js'

/** Number of digits in the columns `numeric(20,9)` (SOL), `numeric(20,6)` (tokens) and `numeric(38,18)` (prices). */
const SOL_DIGITS = 20
const TOKEN_DIGITS = 20
const PRICE_DIGITS = 38

/**
 * All code uses this constructor of decimal.js. Never call `Decimal.set`.
 * The precision is enough for the product of a price, a SOL amount and a token amount, so sums and products of column
 * values are exact. Longer results (quotients) are truncated and never rounded up. A truncated quotient can be
 * truncated again without an error. The default of decimal.js rounds to the nearest digit, so it could return more than
 * the exact quotient. `toString` never writes an exponent.
 */
export const Decimal: typeof DecimalJs = DecimalJs.clone({
  precision: PRICE_DIGITS + SOL_DIGITS + TOKEN_DIGITS,
  rounding: DecimalJs.ROUND_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs
