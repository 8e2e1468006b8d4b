import { Decimal as DecimalJs } from 'decimal.js'

/** Digits of `numeric(20,9)` (SOL), `numeric(20,6)` (tokens) and `numeric(38,18)` (a price). */
const SOL_DIGITS = 20
const TOKEN_DIGITS = 20
const PRICE_DIGITS = 38

/**
 * The one decimal.js constructor of the product; `Decimal.set` must never be called on it.
 *
 * The precision is what the product of a price, a SOL amount and a token amount needs, so sums and products of column
 * values are exact. Whatever is longer (a quotient) is cut, never rounded up: cutting twice is the same as cutting
 * once, so `a.div(b)` cut to fewer decimals afterwards is exact too. Where rounding to nearest, as decimal.js does
 * unless told otherwise, could round a quotient up onto a unit that it does not reach. No text has an exponent.
 */
export const Decimal = DecimalJs.clone({
  precision: PRICE_DIGITS + SOL_DIGITS + TOKEN_DIGITS,
  rounding: DecimalJs.ROUND_DOWN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
})
export type Decimal = DecimalJs
