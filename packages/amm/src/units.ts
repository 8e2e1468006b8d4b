import { Decimal as DecimalJs } from 'decimal.js'
import { AmountTooLargeError, NotANumberError, NotPositiveError } from './errors.ts'

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

/** SOL with at most 9 decimals. */
export type Sol = Decimal
/** Tokens with at most 6 decimals. */
export type Tokens = Decimal
/** SOL per token with at most 18 decimals. */
export type Price = Decimal

export const SOL_DECIMALS = 9
export const TOKEN_DECIMALS = 6
export const PRICE_DECIMALS = 18

/** Max SOL amount that `numeric(20,9)` can store. */
export const SOL_MAX: Sol = new Decimal('99999999999.999999999')
/** Max token amount that `numeric(20,6)` can store. */
export const TOKENS_MAX: Tokens = new Decimal('99999999999999.999999')

const AMOUNT_CHARS_MAX = 40
const PLAIN_DECIMAL = /^(-?)(?:(\d+)(?:\.(\d*))?|\.(\d+))$/

/**
 * Parses a SOL amount that a player typed: plain decimal text (`1.5`, `.5`, `5.`), possibly with spaces around it. The
 * function truncates decimals beyond the ninth. Throws NotANumberError, NotPositiveError or AmountTooLargeError.
 */
export function parseSol(text: string): Sol {
  return parseAmount(text, SOL_DECIMALS, SOL_MAX)
}

/** Parses a price in the same way as `parseSol`, but with 18 decimals. */
export function parsePrice(text: string): Price {
  return parseAmount(text, PRICE_DECIMALS, SOL_MAX)
}

/** Parses a token amount in the same way as `parseSol`, but with 6 decimals. */
export function parseTokens(text: string): Tokens {
  return parseAmount(text, TOKEN_DECIMALS, TOKENS_MAX)
}

function parseAmount(text: string, decimals: number, max: Decimal): Decimal {
  // Check the length first, so that a long text causes no more work.
  const match = text.length > AMOUNT_CHARS_MAX ? null : PLAIN_DECIMAL.exec(text.trim())
  if (match === null) throw new NotANumberError()
  const [, sign, whole = '0', fractionAfterWhole, fractionAlone] = match
  if (sign === '-') throw new NotPositiveError()
  // Truncate toward zero, so that nobody spends more than they typed.
  const fraction = (fractionAfterWhole ?? fractionAlone ?? '').slice(0, decimals)
  const amount = new Decimal(`${whole}.${fraction}0`)
  assertAmount(amount, decimals, max)
  return amount
}

/**
 * Throws NotPositiveError, AmountTooLargeError if the amount does not fit its column, or RangeError if it has too many
 * decimals.
 */
export function assertAmount(amount: Decimal, decimals: number, max: Decimal): void {
  // Negate the comparison, so that it also catches NaN: every comparison with NaN is false.
  if (!amount.gt(0)) throw new NotPositiveError()
  if (amount.gt(max)) throw new AmountTooLargeError()
  if (amount.decimalPlaces() > decimals) throw new RangeError(`amount has more than ${decimals} decimals`)
}

/** Formats SOL in plain notation without exponent or trailing zeros: `1.5`. */
export function solText(amount: Sol): string {
  return amount.toFixed()
}

/** Formats tokens in plain notation without exponent or trailing zeros: `33.25`. */
export function tokensText(amount: Tokens): string {
  return amount.toFixed()
}

/** Formats a price in plain notation without exponent or trailing zeros: `0.00000003`. */
export function priceText(price: Price): string {
  return price.toFixed()
}

export const ZERO: Decimal = new Decimal(0)

// Quotients are computed in whole units. `divToInt` truncates exactly, in half the time of a full-precision division.
const LAMPORTS_PER_SOL = new Decimal(`1e${SOL_DECIMALS}`)
const LAMPORT = new Decimal(`1e-${SOL_DECIMALS}`)
const MICROS_PER_TOKEN = new Decimal(`1e${TOKEN_DECIMALS}`)
const MICRO = new Decimal(`1e-${TOKEN_DECIMALS}`)
const PRICE_SCALE = new Decimal(`1e${PRICE_DECIMALS}`)
const PRICE_UNIT = new Decimal(`1e-${PRICE_DECIMALS}`)

/** Rounds up to a whole lamport (9 decimals). */
export function ceilSol(amount: Decimal): Sol {
  return amount.toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_CEIL)
}

/** Returns `numerator / denominator` in SOL, truncated to 9 decimals. The denominator must be above 0. */
export function floorSolQuotient(numerator: Decimal, denominator: Decimal): Sol {
  return numerator.mul(LAMPORTS_PER_SOL).divToInt(denominator).mul(LAMPORT)
}

/**
 * Returns `numerator / denominator` in tokens, truncated to 6 decimals. The result is exact. The denominator must be
 * above 0.
 */
export function floorTokensQuotient(numerator: Decimal, denominator: Decimal): Tokens {
  return numerator.mul(MICROS_PER_TOKEN).divToInt(denominator).mul(MICRO)
}

/**
 * Returns `numerator / denominator` as a price or a fraction, truncated toward zero to 18 decimals. The result is
 * exact. The denominator must be above 0.
 */
export function cutPriceQuotient(numerator: Decimal, denominator: Decimal): Price {
  return numerator.mul(PRICE_SCALE).divToInt(denominator).mul(PRICE_UNIT)
}

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

/**
 * Returns the minimum output for a quoted `amount` and a `slippage` tolerance (a fraction from 0 to 1), truncated to
 * `decimals`. Rounds down, so that an order that is filled exactly as quoted is never rejected. Throws RangeError if
 * the fraction is below 0 or above 1.
 */
export function leastAccepted(amount: Decimal, slippage: Decimal, decimals: number): Decimal {
  if (!(slippage.gte(0) && slippage.lte(1))) throw new RangeError('slippage is a fraction from 0 to 1')
  return amount.sub(amount.mul(slippage)).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
