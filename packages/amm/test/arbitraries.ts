import fc from 'fast-check'
import {
  AmmError,
  Decimal,
  launchPool,
  type Pool,
  quoteBuy,
  quoteSell,
  type Sol,
  SUPPLY,
  type Tokens,
} from '../src/index.ts'
import { REF_SOL_MAX, REF_TOKENS_MAX, refText } from './reference.ts'

/** Generates amounts of all magnitudes: a few units, typical trades, and up to the maximum of a column. */
function units(max: bigint): fc.Arbitrary<bigint> {
  const sizes = [10n, 10n ** 6n, 10n ** 9n, 10n ** 12n, 10n ** 15n, max]
  return fc.oneof(...sizes.map((size) => fc.bigInt({ min: 1n, max: size })), fc.constant(max))
}

export const anySol: fc.Arbitrary<Sol> = units(REF_SOL_MAX).map((lamports) => new Decimal(refText(lamports, 9)))
export const anyTokens: fc.Arbitrary<Tokens> = units(REF_TOKENS_MAX).map((micros) => new Decimal(refText(micros, 6)))

/** Generates any reserves that fit the columns, whether trading can reach them or not. */
export const anyPool: fc.Arbitrary<Pool> = fc
  .tuple(anySol, anySol, anyTokens)
  .map(([one, other, tokens]) => ({ sol: Decimal.max(one, other), virtualSol: Decimal.min(one, other), tokens }))

const anyOrder = fc.record({
  side: fc.constantFrom('buy', 'sell'),
  /** The part to trade, in millionths of a budget, or of half of the tokens outside the pool. */
  part: fc.oneof(fc.integer({ min: 1, max: 1_000_000 }), fc.constant(1_000_000)),
  /** Number of units to trade instead of `part`, so that dust is traded too. */
  dust: fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 1, max: 2_000 })),
})

/** Generates a pool that trading can reach, with tokens outside it. */
export const tradedPool: fc.Arbitrary<Pool> = fc.array(anyOrder, { minLength: 1, maxLength: 8 }).map((orders) => {
  const first = quoteBuy(launchPool(), new Decimal('0.5')).pool
  return orders.reduce((pool, { side, part, dust }) => {
    const millionths = (amount: Decimal, decimals: number) =>
      dust > 0
        ? Decimal.min(amount, new Decimal(dust).mul(`1e-${decimals}`))
        : amount.mul(part).div(1_000_000).toDecimalPlaces(decimals, Decimal.ROUND_DOWN)
    const after = attempt(() =>
      side === 'buy'
        ? quoteBuy(pool, millionths(new Decimal(1_000), 9))
        : quoteSell(pool, millionths(outside(pool).div(2).toDecimalPlaces(6), 6)),
    )
    return after?.pool ?? pool
  }, first)
})

/** Returns the tokens of the supply that are outside the pool. */
export function outside(pool: Pool): Tokens {
  return SUPPLY.sub(pool.tokens)
}

/** Returns the result of `run`, or undefined if it throws an AmmError. Rethrows other errors. */
export function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof AmmError) return undefined
    throw error
  }
}
