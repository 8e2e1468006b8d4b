import { Decimal as DecimalJs } from 'decimal.js'

/** Digits of the columns `numeric(20,9)` (SOL), `numeric(20,6)` (tokens) and `numeric(38,18)` (prices). */
const SOL_DIGITS = 20
const TOKEN_DIGITS = 20
const PRICE_DIGITS = 38

/**
 * The only decimal.js constructor of the product. Never call `Decimal.set` on it.
 *
 * The precision fits the product of a price, a SOL amount and a token amount, so sums and products of column values are
 * exact. Longer results (quotients) are cut, never rounded up: cutting twice equals cutting once, so `a.div(b)` cut to
 * fewer decimals is exact as well. The default of decimal.js, rounding to nearest, could round a quotient up to a unit it
 * does not reach. `toString` never writes an exponent.
 */
export const Decimal: typeof DecimalJs = DecimalJs.clone({
  precision: PRICE_DIGITS + SOL_DIGITS + TOKEN_DIGITS,
  rounding: DecimalJs.ROUND_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs
