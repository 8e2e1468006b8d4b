import type { Decimal } from './decimal.ts'
import { AmountTooLargeError, OutputIsZeroError } from './errors.ts'
import { computeFee } from './fee.ts'
import { assertOpen, type Pool } from './pool.ts'
import { computePriceImpact, spotPrice } from './price.ts'
import { cutPriceQuotient, floorTokensQuotient } from './rounding.ts'
import { assertAmount, type Price, SOL_DECIMALS, SOL_MAX, type Sol, type Tokens } from './units.ts'

export type BuyQuote = {
  /** SOL that the trader pays, including the fee. */
  readonly solIn: Sol
  /** Fee in SOL: the part of `solIn` that goes to the treasury. */
  readonly fee: Sol
  readonly tokensOut: Tokens
  /** Average price including the fee: `solIn / tokensOut`, truncated to 18 decimals. */
  readonly price: Price
  /** Price impact as a fraction above 0: spot price after / spot price before − 1. */
  readonly priceImpact: Decimal
  readonly spotBefore: Price
  readonly spotAfter: Price
  readonly pool: Pool
}

/**
 * Quotes a buy for `solIn` SOL (at most 9 decimals). Source of the formula: x·y = k, docs/amm.md. Throws
 * PoolClosedError, NotPositiveError, OutputIsZeroError, or AmountTooLargeError if a reserve would overflow.
 */
export function quoteBuy(pool: Pool, solIn: Sol): BuyQuote {
  assertOpen(pool)
  assertAmount(solIn, SOL_DECIMALS, SOL_MAX)
  const fee = computeFee(solIn)
  const solNet = solIn.sub(fee)
  const solAfter = pool.sol.add(solNet)
  if (solAfter.gt(SOL_MAX)) throw new AmountTooLargeError()
  // Round down, so that the pool keeps the remainder. T − ⌈S·T / (S + n)⌉ equals ⌊T·n / (S + n)⌋, which needs one
  // division and no remainder.
  const tokensOut = floorTokensQuotient(pool.tokens.mul(solNet), solAfter)
  if (tokensOut.isZero()) throw new OutputIsZeroError()
  const next: Pool = { sol: solAfter, virtualSol: pool.virtualSol, tokens: pool.tokens.sub(tokensOut) }
  return {
    solIn,
    fee,
    tokensOut,
    price: cutPriceQuotient(solIn, tokensOut),
    spotAfter: spotPrice(next),
    pool: next,
    // Getters compute these only when a screen reads them, because the engine quotes every order and never needs them.
    get spotBefore() {
      return spotPrice(pool)
    },
    get priceImpact() {
      return computePriceImpact(pool, next)
    },
  }
}
