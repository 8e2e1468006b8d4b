import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AmmError,
  AmountTooLargeError,
  type BuyQuote,
  cashOutValue,
  Decimal,
  launchPool,
  NotPositiveError,
  PoolClosedError,
  parseSol,
  quoteBuy,
  quoteSell,
  realSol,
  rugPool,
  type SellQuote,
  SOL_MAX,
  SUPPLY,
  TOKENS_MAX,
} from '../src/index.ts'
import { anyPool, attempt, outside, tradedPool } from './arbitraries.ts'

const LAMPORT = new Decimal('0.000000001')
const MICRO = new Decimal('0.000001')

describe('quoteBuy', () => {
  it('sells 32,164,403.006742 tokens for 1 SOL on a fresh pool', () => {
    const quote = quoteBuy(launchPool(), new Decimal(1))
    expect(quote.fee.toFixed()).toBe('0.003')
    // Computed by hand: 1,000,000,000 − ⌈30 × 1,000,000,000 / 30.997⌉.
    expect(quote.tokensOut.toFixed()).toBe('32164403.006742')
    expect(quote.pool.sol.toFixed()).toBe('30.997')
  })

  it('does not mutate its arguments', () => {
    const pool = frozen(quoteBuy(launchPool(), parseSol('17.123456789')).pool)
    quoteBuy(pool, frozen(parseSol('3.000000001')))
    quoteSell(pool, frozen(new Decimal('12.345678')))
    rugPool(pool)
    expect(pool.sol.toFixed()).toBe('47.072086418')
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

  it('shows an impact too small to show as 0, not as -0', () => {
    const pool = { ...launchPool(), sol: new Decimal(90_000_000_000), tokens: new Decimal(90_000_000_000_000) }
    expect(quoteSell(pool, new Decimal('0.000005')).priceImpact.toJSON()).toBe('0')
  })
})

describe('every quote', () => {
  it('either fits its columns in plain notation or is a named error', () => {
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

  it.each(['0', '-1', '-0.000000001', 'NaN', '-Infinity'])('rejects %s as not positive', (text) => {
    expect(() => quoteBuy(launchPool(), new Decimal(text))).toThrow(NotPositiveError)
    expect(() => quoteSell(launchPool(), new Decimal(text))).toThrow(NotPositiveError)
  })

  it('rejects infinity as too large', () => {
    expect(() => quoteBuy(launchPool(), new Decimal('Infinity'))).toThrow(AmountTooLargeError)
    expect(() => quoteSell(launchPool(), new Decimal('Infinity'))).toThrow(AmountTooLargeError)
  })

  it('treats surplus decimals as a bug of the caller', () => {
    expect(() => quoteBuy(launchPool(), new Decimal('1.0000000001'))).toThrow(RangeError)
    expect(() => quoteSell(launchPool(), new Decimal('1.0000001'))).toThrow(RangeError)
  })

  it('fails with an error that has a code, a name and one sentence', () => {
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
