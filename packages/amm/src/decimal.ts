import { Decimal as DecimalJs } from 'decimal.js'

/** Total digits of the columns `numeric(20,9)` (SOL), `numeric(20,6)` (tokens) and `numeric(38,18)` (prices). */
const SOL_DIGITS = 20
const TOKEN_DIGITS = 20
const PRICE_DIGITS = 38

/**
 * The only decimal.js constructor of the product. Never call `Decimal.set` on it.
 *
 * The precision fits the product of a price, a SOL amount and a token amount, so sums and products of column values are
 * exact. Longer results (quotients) are truncated, never rounded up. Truncating twice equals truncating once, so
 * `a.div(b)` truncated to fewer decimals is exact as well. decimal.js rounds to nearest by default, which could round a
 * quotient up to a unit that it does not reach. `toString` never writes an exponent.
 */
export const Decimal: typeof DecimalJs = DecimalJs.clone({
  precision: PRICE_DIGITS + SOL_DIGITS + TOKEN_DIGITS,
  rounding: DecimalJs.ROUND_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs
