import type { Decimal } from './decimal.ts'
import { AmountTooLargeError, InsufficientLiquidityError, OutputIsZeroError } from './errors.ts'
import { computeFee } from './fee.ts'
import { assertOpen, type Pool, realSol } from './pool.ts'
import { computePriceImpact, spotPrice } from './price.ts'
import { cutPriceQuotient, floorSolQuotient, ZERO } from './rounding.ts'
import { assertAmount, type Price, type Sol, TOKEN_DECIMALS, TOKENS_MAX, type Tokens } from './units.ts'

export type SellQuote = {
  readonly tokensIn: Tokens
  /** SOL that leaves the pool, including the fee. */
  readonly gross: Sol
  /** Fee in SOL: the part of `gross` that goes to the treasury. */
  readonly fee: Sol
  /** SOL that the trader receives: `gross − fee`. */
  readonly solOut: Sol
  /** Average price after the fee: `solOut / tokensIn`, truncated to 18 decimals. */
  readonly price: Price
  /** Price impact as a fraction of 0 or below: spot price after / spot price before − 1. */
  readonly priceImpact: Decimal
  readonly spotBefore: Price
  readonly spotAfter: Price
  readonly pool: Pool
}

/**
 * Quotes a sale of `tokensIn` tokens (at most 6 decimals). Source of the formula: x·y = k, docs/amm.md. Throws
 * PoolClosedError, NotPositiveError, OutputIsZeroError, AmountTooLargeError if a reserve would overflow, or
 * InsufficientLiquidityError for tokens that did not come from this pool.
 */
export function quoteSell(pool: Pool, tokensIn: Tokens): SellQuote {
  assertOpen(pool)
  const { tokensAfter, gross, fee, solOut } = computeSale(pool, tokensIn)
  if (solOut.isZero()) throw new OutputIsZeroError()
  const next: Pool = { sol: pool.sol.sub(gross), virtualSol: pool.virtualSol, tokens: tokensAfter }
  return {
    tokensIn,
    gross,
    fee,
    solOut,
    price: cutPriceQuotient(solOut, tokensIn),
    spotAfter: spotPrice(next),
    pool: next,
    // Getters compute these values only if a screen reads them, because the engine never needs them.
    get spotBefore() {
      return spotPrice(pool)
    },
    get priceImpact() {
      return computePriceImpact(pool, next)
    },
  }
}

/**
 * Returns the SOL that selling `tokens` now would pay, after the fee. Returns 0 for less than a lamport, for no tokens,
 * and for a rugged pool. Throws the errors of `quoteSell` for more tokens than can be in circulation.
 */
export function cashOutValue(pool: Pool, tokens: Tokens): Sol {
  if (pool.sol.isZero() || tokens.isZero()) return ZERO
  return computeSale(pool, tokens).solOut
}

type Sale = { readonly tokensAfter: Tokens; readonly gross: Sol; readonly fee: Sol; readonly solOut: Sol }

function computeSale(pool: Pool, tokensIn: Tokens): Sale {
  assertAmount(tokensIn, TOKEN_DECIMALS, TOKENS_MAX)
  const tokensAfter = pool.tokens.add(tokensIn)
  if (tokensAfter.gt(TOKENS_MAX)) throw new AmountTooLargeError()
  // Round down, so that the pool keeps the remainder. S − ⌈S·T / (T + t)⌉ equals ⌊S·t / (T + t)⌋, which needs one
  // division and no remainder.
  const gross = floorSolQuotient(pool.sol.mul(tokensIn), tokensAfter)
  if (gross.gt(realSol(pool))) throw new InsufficientLiquidityError()
  const fee = computeFee(gross)
  return { tokensAfter, gross, fee, solOut: gross.sub(fee) }
}
