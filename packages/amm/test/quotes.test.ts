import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AmmError,
  AmountTooLargeError,
  type BuyQuote,
  cashOutValue,
  Decimal,
  InsufficientLiquidityError,
  launchPool,
  NotPositiveError,
  OutputIsZeroError,
  type Pool,
  PoolClosedError,
  parseSol,
  quoteBuy,
  quoteSell,
  realSol,
  rugPool,
  type SellQuote,
  SOL_MAX,
  SUPPLY,
  spotPrice,
  TOKENS_MAX,
} from '../src/index.ts'
import { anyPool, anySol, anyTokens, attempt, outside, tradedPool } from './arbitraries.ts'

const LAMPORT = new Decimal('0.000000001')
const MICRO = new Decimal('0.000001')

describe('quoteBuy', () => {
  it('sells 32,164,403.006742 tokens for 1 SOL on a fresh pool', () => {
    const quote = quoteBuy(launchPool(), new Decimal(1))
    expect(quote.fee.toFixed()).toBe('0.003')
    // 1,000,000,000 − ⌈30 × 1,000,000,000 / 30.997⌉, by hand.
    expect(quote.tokensOut.toFixed()).toBe('32164403.006742')
    expect(quote.pool.sol.toFixed()).toBe('30.997')
  })

  it('matches the pool it returns', () => {
    fc.assert(
      fc.property(anyPool, anySol, (pool, sol) => {
        const quote = attempt(() => quoteBuy(pool, sol))
        if (quote === undefined) return
        expect(pool.tokens.sub(quote.pool.tokens).eq(quote.tokensOut)).toBe(true)
        expect(quote.pool.sol.sub(pool.sol).eq(quote.solIn.sub(quote.fee))).toBe(true)
        expect(quote.solIn.eq(sol)).toBe(true)
        expectSameEnds(pool, quote)
        expect(quote.priceImpact.gte(0)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('takes a fee of 0.3 %, rounded up to a lamport', () => {
    fc.assert(
      fc.property(anySol, (sol) => {
        const quote = attempt(() => quoteBuy(launchPool(), sol))
        if (quote !== undefined) expectFee(quote.fee, sol)
      }),
      { numRuns: 500 },
    )
  })

  it('does not mutate its arguments', () => {
    const pool = frozen(quoteBuy(launchPool(), parseSol('17.123456789')).pool)
    quoteBuy(pool, frozen(parseSol('3.000000001')))
    quoteSell(pool, frozen(new Decimal('12.345678')))
    rugPool(pool)
    expect(pool.sol.toFixed()).toBe('47.072086418')
  })

  it('refuses one lamport, which the fee would consume', () => {
    expect(() => quoteBuy(launchPool(), LAMPORT)).toThrow(OutputIsZeroError)
  })

  it('refuses an amount that buys less than a micro-token', () => {
    const pool = { ...launchPool(), sol: new Decimal(1_000_000), tokens: new Decimal(1) }
    expect(() => quoteBuy(pool, new Decimal('0.5'))).toThrow(OutputIsZeroError)
  })

  it('refuses more SOL than the column holds, and a reserve that would not fit', () => {
    expect(() => quoteBuy(launchPool(), SOL_MAX.add(LAMPORT))).toThrow(AmountTooLargeError)
    expect(() => quoteBuy({ ...launchPool(), sol: SOL_MAX }, new Decimal(1))).toThrow(AmountTooLargeError)
  })

  it('accepts the largest amount whose reserve still fits', () => {
    expect(quoteBuy(launchPool(), SOL_MAX).pool.sol.lte(SOL_MAX)).toBe(true)
  })
})

describe('quoteSell', () => {
  it('pays 0.994008999 SOL for what 1 SOL bought', () => {
    const { pool, tokensOut } = quoteBuy(launchPool(), new Decimal(1))
    const quote = quoteSell(pool, tokensOut)
    expect(quote.gross.toFixed()).toBe('0.996999999')
    expect(quote.fee.toFixed()).toBe('0.002991')
    expect(quote.solOut.toFixed()).toBe('0.994008999')
    expect(realSol(quote.pool).toFixed()).toBe('0.000000001')
  })

  it('matches the pool it returns', () => {
    fc.assert(
      fc.property(anyPool, anyTokens, (pool, tokens) => {
        const quote = attempt(() => quoteSell(pool, tokens))
        if (quote === undefined) return
        expect(quote.pool.tokens.sub(pool.tokens).eq(tokens)).toBe(true)
        expect(realSol(pool).sub(realSol(quote.pool)).eq(quote.gross)).toBe(true)
        expect(quote.gross.sub(quote.fee).eq(quote.solOut)).toBe(true)
        expectFee(quote.fee, quote.gross)
        expectSameEnds(pool, quote)
        expect(quote.priceImpact.lte(0)).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never pays less gross SOL for more tokens', () => {
    fc.assert(
      fc.property(tradedPool, fc.integer({ min: 1, max: 1_000_000 }), (pool, part) => {
        const tokens = outside(pool).mul(part).div(1_000_001).toDecimalPlaces(6)
        const less = attempt(() => quoteSell(pool, tokens))?.solOut ?? new Decimal(0)
        const more = attempt(() => quoteSell(pool, tokens.add(MICRO)))?.solOut ?? new Decimal(0)
        expect(more.gte(less)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('refuses a sale of one lamport, which the fee would consume', () => {
    const pool = { ...launchPool(), sol: new Decimal(31) }
    expect(() => quoteSell(pool, new Decimal('0.05'))).toThrow(OutputIsZeroError)
    expect(quoteSell(pool, new Decimal('0.07')).solOut.toFixed()).toBe('0.000000001')
  })

  it('reports an impact too small to show as 0, not as -0', () => {
    const pool = { ...launchPool(), sol: new Decimal(90_000_000_000), tokens: new Decimal(90_000_000_000_000) }
    expect(quoteSell(pool, new Decimal('0.000005')).priceImpact.toJSON()).toBe('0')
  })

  it('refuses to pay out virtual SOL', () => {
    expect(() => quoteSell(launchPool(), new Decimal(1))).toThrow(InsufficientLiquidityError)
  })

  it('refuses more tokens than the column holds, and a reserve that would not fit', () => {
    expect(() => quoteSell(launchPool(), TOKENS_MAX.add(MICRO))).toThrow(AmountTooLargeError)
    expect(() => quoteSell(launchPool(), TOKENS_MAX)).toThrow(AmountTooLargeError)
  })
})

describe('every quote', () => {
  it('either fits its columns in plain notation or is a named refusal', () => {
    const amounts = [
      LAMPORT,
      MICRO,
      new Decimal(1),
      SUPPLY,
      SOL_MAX,
      SOL_MAX.add(LAMPORT),
      TOKENS_MAX,
      TOKENS_MAX.add(MICRO),
    ]
    fc.assert(
      fc.property(anyPool, fc.constantFrom(...amounts), (pool, amount) => {
        const bought = attempt(() => quoteBuy(pool, amount.toDP(9)))
        const sold = attempt(() => quoteSell(pool, amount.toDP(6)))
        for (const quote of [bought, sold]) if (quote !== undefined) expectColumns(quote)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(['0', '-1', '-0.000000001', 'NaN', '-Infinity'])('refuses %s as not positive', (text) => {
    expect(() => quoteBuy(launchPool(), new Decimal(text))).toThrow(NotPositiveError)
    expect(() => quoteSell(launchPool(), new Decimal(text))).toThrow(NotPositiveError)
  })

  it('refuses infinity as too large', () => {
    expect(() => quoteBuy(launchPool(), new Decimal('Infinity'))).toThrow(AmountTooLargeError)
    expect(() => quoteSell(launchPool(), new Decimal('Infinity'))).toThrow(AmountTooLargeError)
  })

  it('treats surplus decimals as a bug of the caller', () => {
    expect(() => quoteBuy(launchPool(), new Decimal('1.0000000001'))).toThrow(RangeError)
    expect(() => quoteSell(launchPool(), new Decimal('1.0000001'))).toThrow(RangeError)
  })

  it('is refused by a rugged pool', () => {
    const { pool } = rugPool(launchPool())
    expect(() => quoteBuy(pool, new Decimal(1))).toThrow(PoolClosedError)
    expect(() => quoteSell(pool, new Decimal(1))).toThrow(PoolClosedError)
  })

  it('refuses with an error that has a code, a name and one sentence', () => {
    const error = new PoolClosedError()
    expect(error).toBeInstanceOf(AmmError)
    expect({ code: error.code, name: error.name }).toEqual({ code: 'POOL_CLOSED', name: 'PoolClosedError' })
    expect(error.message).toMatch(/^[A-Z][^.]*\.$/)
  })
})

describe('cashOutValue', () => {
  it('equals what the sale would pay', () => {
    fc.assert(
      fc.property(tradedPool, fc.integer({ min: 1, max: 1_000_000 }), (pool, part) => {
        const tokens = outside(pool).mul(part).div(1_000_000).toDecimalPlaces(6)
        const paid = attempt(() => quoteSell(pool, tokens))?.solOut ?? new Decimal(0)
        expect(cashOutValue(pool, tokens).eq(paid)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('is zero for no tokens, for dust and for a rugged pool', () => {
    const { pool } = quoteBuy(launchPool(), new Decimal(1))
    expect(cashOutValue(pool, new Decimal(0)).toFixed()).toBe('0')
    expect(cashOutValue(pool, MICRO).toFixed()).toBe('0')
    expect(cashOutValue(rugPool(pool).pool, TOKENS_MAX).toFixed()).toBe('0')
  })
})

/** Checks a quote's prices against its two pools. */
function expectSameEnds(pool: Pool, quote: BuyQuote | SellQuote): void {
  expect(quote.spotBefore.eq(spotPrice(pool))).toBe(true)
  expect(quote.spotAfter.eq(spotPrice(quote.pool))).toBe(true)
  expect(quote.pool.virtualSol.eq(pool.virtualSol)).toBe(true)
}

/** 0.003 × base ≤ fee < 0.003 × base + one lamport. */
function expectFee(fee: Decimal, base: Decimal): void {
  const exact = base.mul('0.003')
  expect(fee.gte(exact) && fee.lt(exact.add(LAMPORT))).toBe(true)
}

const COLUMNS = {
  solIn: [9, 11],
  solOut: [9, 11],
  gross: [9, 11],
  fee: [9, 11],
  sol: [9, 11],
  virtualSol: [9, 11],
  tokensIn: [6, 14],
  tokensOut: [6, 14],
  tokens: [6, 14],
  price: [18, 20],
  spotBefore: [18, 20],
  spotAfter: [18, 20],
}

/** Checks that every number prints plainly and fits its column. */
function expectColumns(quote: BuyQuote | SellQuote): void {
  const figures: Record<string, unknown> = { ...quote, ...quote.pool }
  for (const [field, [decimals, whole]] of Object.entries(COLUMNS)) {
    const value = figures[field]
    if (value !== undefined) expect(String(value)).toMatch(new RegExp(`^\\d{1,${whole}}(\\.\\d{1,${decimals}})?$`))
  }
  expect(quote.priceImpact.toFixed()).toMatch(/^-?\d+(\.\d{1,18})?$/)
}

/** Freezes a value deeply, so that any write throws. */
function frozen<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) frozen(part)
  return Object.freeze(value)
}
