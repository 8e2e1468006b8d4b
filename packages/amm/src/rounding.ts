import { Decimal } from './decimal.ts'
import { PRICE_DECIMALS, type Price, SOL_DECIMALS, type Sol, TOKEN_DECIMALS, type Tokens } from './units.ts'

export const ZERO: Decimal = new Decimal(0)

// Quotients are computed in whole units, because `divToInt` truncates exactly in half the time of a full-precision
// division.
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

/** Returns `numerator / denominator` in tokens, truncated to 6 decimals. Exact; the denominator must be above 0. */
export function floorTokensQuotient(numerator: Decimal, denominator: Decimal): Tokens {
  return numerator.mul(MICROS_PER_TOKEN).divToInt(denominator).mul(MICRO)
}

/**
 * Returns `numerator / denominator` as a price or a fraction, truncated toward zero to 18 decimals. Exact; the
 * denominator must be above 0.
 */
export function cutPriceQuotient(numerator: Decimal, denominator: Decimal): Price {
  return numerator.mul(PRICE_SCALE).divToInt(denominator).mul(PRICE_UNIT)
}
