import { FEE_RATE, SUPPLY, VIRTUAL_SOL } from './constants.ts'
import {
  AmountTooLargeError,
  InsufficientLiquidityError,
  InsufficientTokensError,
  OutputIsZeroError,
  PoolClosedError,
} from './errors.ts'
import {
  assertAmount,
  ceilSol,
  cutPriceQuotient,
  Decimal,
  floorSolQuotient,
  floorTokensQuotient,
  type Price,
  SOL_DECIMALS,
  SOL_MAX,
  type Sol,
  TOKEN_DECIMALS,
  TOKENS_MAX,
  type Tokens,
  ZERO,
} from './units.ts'

/** A token's reserves. `sol` is the virtual plus the real SOL. After a rug pull, `sol` is 0. Immutable. */
export type Pool = { readonly sol: Sol; readonly virtualSol: Sol; readonly tokens: Tokens }

/** A pool as the API returns it, in decimal text. */
export type PoolState = Readonly<Record<'solReserve' | 'tokenReserve' | 'realSol', string>>

export function readPool({ solReserve, tokenReserve, realSol }: PoolState): Pool {
  const sol = new Decimal(solReserve)
  return { sol, virtualSol: sol.sub(realSol), tokens: new Decimal(tokenReserve) }
}

/** Returns the pool with which every token starts: the whole supply and 30 virtual SOL. */
export function launchPool(): Pool {
  return { sol: VIRTUAL_SOL, virtualSol: VIRTUAL_SOL, tokens: SUPPLY }
}

/** Returns the pool's liquidity: the SOL that traders paid in. The pool can never pay out more than its liquidity. */
export function realSol(pool: Pool): Sol {
  return pool.sol.sub(pool.virtualSol)
}

/** Throws PoolClosedError for a rugged pool. */
export function assertOpen(pool: Pool): void {
  if (pool.sol.isZero()) throw new PoolClosedError()
}

/** Returns the spot price in SOL per token for display: S / T, truncated to 18 decimals, or 0 for a rugged pool. */
export function spotPrice(pool: Pool): Price {
  return pool.sol.isZero() ? ZERO : cutPriceQuotient(pool.sol, pool.tokens)
}

/** Returns the market cap in SOL: spot price × supply. */
export function marketCap(pool: Pool): Decimal {
  return computeMarketCap(spotPrice(pool))
}

/** Returns the market cap in SOL: `price` × supply. */
export function computeMarketCap(price: Price): Decimal {
  return price.mul(SUPPLY)
}

/**
 * Computes the relative change of the spot price for display. The formula is `after / before − 1`, truncated to 18
 * decimals.
 */
function computePriceImpact(before: Pool, after: Pool): Decimal {
  // Compute with the reserves, because truncated prices may have no significant digits left.
  const scale = before.sol.mul(after.tokens)
  const impact = cutPriceQuotient(after.sol.mul(before.tokens).sub(scale), scale)
  // Return 0 instead of minus zero, which would print as "-0". Truncation turns a tiny fall into minus zero.
  return impact.isZero() ? ZERO : impact
}

/** Computes the fee for a trade's SOL, rounded up to a lamport. */
export function computeFee(sol: Sol): Sol {
  return ceilSol(sol.mul(FEE_RATE))
}

/**
 * Pays the real SOL to the creator and removes the virtual SOL. The tokens stay in the pool. Throws PoolClosedError if
 * the pool is already closed.
 */
export function rugPool(pool: Pool): { readonly drained: Sol; readonly pool: Pool } {
  assertOpen(pool)
  return { drained: realSol(pool), pool: { sol: ZERO, virtualSol: ZERO, tokens: pool.tokens } }
}

export type BuyQuote = {
  /** SOL that the trader pays, with the fee included. */
  readonly solIn: Sol
  /** Fee in SOL. The fee is the part of `solIn` that goes to the treasury. */
  readonly fee: Sol
  readonly tokensOut: Tokens
  /** Average price including the fee: `solIn / tokensOut`, truncated to 18 decimals. */
  readonly price: Price
  /** Price impact as a fraction above 0. The formula is spot price after / spot price before − 1. */
  readonly priceImpact: Decimal
  readonly spotBefore: Price
  readonly spotAfter: Price
  readonly pool: Pool
}

/**
 * Quotes a buy for `solIn` SOL (at most 9 decimals). The formula is x·y = k, see docs/amm.md. Throws PoolClosedError,
 * NotPositiveError, OutputIsZeroError, or AmountTooLargeError if a reserve would overflow.
 */
export function quoteBuy(pool: Pool, solIn: Sol): BuyQuote {
  assertOpen(pool)
  assertAmount(solIn, SOL_DECIMALS, SOL_MAX)
  const fee = computeFee(solIn)
  const solNet = solIn.sub(fee)
  const solAfter = pool.sol.add(solNet)
  if (solAfter.gt(SOL_MAX)) throw new AmountTooLargeError()
  // Round down, so that the pool keeps the remainder. T − ⌈S·T / (S + n)⌉ equals ⌊T·n / (S + n)⌋. The second formula
  // needs only one division and no remainder.
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
    // Use getters, because only screens read these values. The engine quotes every order and never reads these values.
    get spotBefore() {
      return spotPrice(pool)
    },
    get priceImpact() {
      return computePriceImpact(pool, next)
    },
  }
}

export type SellQuote = {
  readonly tokensIn: Tokens
  /** SOL that leaves the pool, including the fee. */
  readonly gross: Sol
  /** Fee in SOL. The fee is the part of `gross` that goes to the treasury. */
  readonly fee: Sol
  /** SOL that the trader receives: `gross − fee`. */
  readonly solOut: Sol
  /** Average price after the fee: `solOut / tokensIn`, truncated to 18 decimals. */
  readonly price: Price
  /** Price impact as a fraction of at most 0. The formula is spot price after / spot price before − 1. */
  readonly priceImpact: Decimal
  readonly spotBefore: Price
  readonly spotAfter: Price
  readonly pool: Pool
}

/**
 * Quotes a sale of `tokensIn` tokens (at most 6 decimals). The formula is x·y = k, see docs/amm.md. Throws
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
    // Use getters, because only screens read these values. The engine never reads these values.
    get spotBefore() {
      return spotPrice(pool)
    },
    get priceImpact() {
      return computePriceImpact(pool, next)
    },
  }
}

/**
 * Returns the SOL that selling `tokens` now would pay, after the fee, or 0 if this is less than a lamport, if there are
 * no tokens, and for a rugged pool. Throws the errors of `quoteSell` for more tokens than can be in circulation.
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
  // Round down, so that the pool keeps the remainder. S − ⌈S·T / (T + t)⌉ equals ⌊S·t / (T + t)⌋. The second formula
  // needs only one division and no remainder.
  const gross = floorSolQuotient(pool.sol.mul(tokensIn), tokensAfter)
  if (gross.gt(realSol(pool))) throw new InsufficientLiquidityError()
  const fee = computeFee(gross)
  return { tokensAfter, gross, fee, solOut: gross.sub(fee) }
}

/** A player's tokens, and their total cost in SOL including fees by the average cost method. Immutable. */
export type Position = { readonly amount: Tokens; readonly cost: Sol }

export type PositionSale = {
  readonly position: Position
  /** Cost of the tokens sold, in SOL. */
  readonly costRemoved: Sol
  /** `solOut − costRemoved` in SOL. The value is negative for a loss. */
  readonly realizedPnl: Sol
}

/** Returns the position after buying `tokensOut` for `solIn` SOL, including the fee. Throws AmountTooLargeError. */
export function positionAfterBuy(position: Position, tokensOut: Tokens, solIn: Sol): Position {
  const amount = position.amount.add(tokensOut)
  const cost = position.cost.add(solIn)
  if (amount.gt(TOKENS_MAX) || cost.gt(SOL_MAX)) throw new AmountTooLargeError()
  return { amount, cost }
}

/**
 * Returns the position after selling `tokensIn` at average cost for `solOut` SOL, after the fee. Throws
 * NotPositiveError, or InsufficientTokensError if the player holds fewer tokens.
 */
export function positionAfterSell(position: Position, tokensIn: Tokens, solOut: Sol): PositionSale {
  assertAmount(tokensIn, TOKEN_DECIMALS, TOKENS_MAX)
  if (tokensIn.gt(position.amount)) throw new InsufficientTokensError()
  // Round down, so that the remaining tokens keep the remainder of the cost. Selling the last token removes the whole
  // cost.
  const costRemoved = floorSolQuotient(position.cost.mul(tokensIn), position.amount)
  return {
    position: { amount: position.amount.sub(tokensIn), cost: position.cost.sub(costRemoved) },
    costRemoved,
    realizedPnl: solOut.sub(costRemoved),
  }
}

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
