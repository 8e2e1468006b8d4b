import type { Decimal } from './decimal.ts'
import { floorSolQuotient, floorTokensQuotient, type Sol, type Tokens, ZERO } from './units.ts'

/**
 * Estimates the tokens for `solIn` SOL without the fee: T − S·T / (S + in), truncated to 6 decimals. Returns 0 if any
 * input is 0 or less. Use it only for display, because trades use `quoteBuy`.
 */
export function estimateBuy(solReserve: Sol, tokenReserve: Tokens, solIn: Sol): Tokens {
  if (!allPositive(solReserve, tokenReserve, solIn)) return ZERO
  return floorTokensQuotient(tokenReserve.mul(solIn), solReserve.add(solIn))
}

/**
 * Estimates the SOL for `tokensIn` tokens without the fee: S − S·T / (T + in), truncated to 9 decimals. Returns 0 if
 * any input is 0 or less. Use it only for display, because trades use `quoteSell`.
 */
export function estimateSell(tokenReserve: Tokens, solReserve: Sol, tokensIn: Tokens): Sol {
  if (!allPositive(tokenReserve, solReserve, tokensIn)) return ZERO
  return floorSolQuotient(solReserve.mul(tokensIn), tokenReserve.add(tokensIn))
}

function allPositive(...amounts: readonly Decimal[]): boolean {
  return amounts.every((amount) => amount.gt(0))
}
