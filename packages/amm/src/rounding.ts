import { Decimal } from './decimal.ts'
import { PRICE_DECIMALS, type Price, SOL_DECIMALS, type Sol, TOKEN_DECIMALS, type Tokens } from './units.ts'

export const ZERO = new Decimal(0)

/** Rounds up to a whole lamport (9 decimals). */
export function ceilSol(amount: Decimal): Sol {
  return amount.toDecimalPlaces(SOL_DECIMALS, Decimal.ROUND_CEIL)
}

/** `numerator / denominator` in SOL, cut to 9 decimals. Exact; neither may be negative. */
export function floorSolQuotient(numerator: Decimal, denominator: Decimal): Sol {
  return cutQuotient(numerator, denominator, SOL_DECIMALS)
}

/** `numerator / denominator` in tokens, cut to 6 decimals. Exact; neither may be negative. */
export function floorTokensQuotient(numerator: Decimal, denominator: Decimal): Tokens {
  return cutQuotient(numerator, denominator, TOKEN_DECIMALS)
}

/** `numerator / denominator` as a price or a fraction, cut toward zero to 18 decimals. Exact. */
export function cutPriceQuotient(numerator: Decimal, denominator: Decimal): Price {
  return cutQuotient(numerator, denominator, PRICE_DECIMALS)
}

function cutQuotient(numerator: Decimal, denominator: Decimal, decimals: number): Decimal {
  return numerator.div(denominator).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
}
