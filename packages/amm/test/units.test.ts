import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AmountError,
  AmountTooLargeError,
  Decimal,
  NotANumberError,
  NotPositiveError,
  PRICE_DECIMALS,
  parseSol,
  parseTokens,
  priceText,
  SOL_MAX,
  solText,
  TOKENS_MAX,
  tokensText,
} from '../src/index.ts'
import { anySol, anyTokens } from './arbitraries.ts'

describe('parseSol', () => {
  it.each([
    ['1.5', '1.5'],
    ['1', '1'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007.50', '7.5'],
    [' 2\n', '2'],
    ['0.000000001', '0.000000001'],
    ['99999999999.999999999', '99999999999.999999999'],
    ['0.1234567891', '0.123456789'],
    ['0.9999999999999999999999999999999999999', '0.999999999'],
    ['99999999999.9999999999', '99999999999.999999999'],
    ['0000000000000000000000000000000000000001', '1'],
  ])('reads %j as %s', (text, amount) => {
    expect(solText(parseSol(text))).toBe(amount)
  })

  it.each([
    ...['', ' ', '.', '-', '+1', '--1', '1..2', '1.2.3', '1,5', '1.000,5', '1_000', '1 000', '1\u00a0000', "1'000"],
    ...[
      '1e5',
      '1E-9',
      '0x10',
      '0b1',
      '0o7',
      '1n',
      'NaN',
      '-NaN',
      'Infinity',
      '-Infinity',
      'null',
      'undefined',
      'abc',
      '1a',
    ],
    ...['١٢', '１２', '½', '1\u0000', '1\u200b2', '−1', '- 1', '$1', '1%', '1 SOL', '[1]', '{}', '1;2', '1/2', '(1)'],
    ...['1'.repeat(41), `0.${'0'.repeat(38)}1`, ' '.repeat(41), '9'.repeat(100_000)],
  ])('refuses %j as no plain decimal', (text) => {
    expect(() => parseSol(text)).toThrow(NotANumberError)
    expect(() => parseTokens(text)).toThrow(NotANumberError)
  })

  it.each(['0', '0.0', '.0', '-0', '-1', '-0.5', '-.5', '-5.', '0.0000000009', '0.0000000000', '-99999999999999'])(
    'rejects %j as not positive',
    (text) => {
      expect(() => parseSol(text)).toThrow(NotPositiveError)
    },
  )

  it.each(['100000000000', '99999999999999999999', '9'.repeat(40)])('rejects %j as too large', (text) => {
    expect(() => parseSol(text)).toThrow(AmountTooLargeError)
  })

  it('fails with one sentence for players', () => {
    for (const error of [new NotANumberError(), new NotPositiveError(), new AmountTooLargeError()]) {
      expect(error).toBeInstanceOf(AmountError)
      expect(error.name).toBe(error.constructor.name)
      expect(error.message).toMatch(/^[A-Z].*[^.]\.$/)
    }
  })

  it('parses everything that solText writes', () => {
    fc.assert(fc.property(anySol, (amount) => parseSol(solText(amount)).eq(amount)))
  })

  it('returns an amount that fits, or a named error, for any text', () => {
    const scrap = fc.string({ unit: fc.constantFrom(...'0123456789.-+eE ,x'), maxLength: 42 })
    fc.assert(
      fc.property(fc.oneof(scrap, fc.string()), (text) => {
        try {
          const amount = parseSol(text)
          return amount.gt(0) && amount.lte(SOL_MAX) && amount.decimalPlaces() <= 9
        } catch (error) {
          return error instanceof AmountError
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('parseTokens', () => {
  it.each([
    ['1.5', '1.5'],
    ['0.1234567', '0.123456'],
    ['0.000001', '0.000001'],
    ['99999999999999.9999999', '99999999999999.999999'],
  ])('reads %j as %s', (text, amount) => {
    expect(tokensText(parseTokens(text))).toBe(amount)
  })

  it('rejects less than a micro-token and more than the column can store', () => {
    expect(() => parseTokens('0.0000009')).toThrow(NotPositiveError)
    expect(() => parseTokens('100000000000000')).toThrow(AmountTooLargeError)
  })

  it('parses everything that tokensText writes', () => {
    fc.assert(fc.property(anyTokens, (amount) => parseTokens(tokensText(amount)).eq(amount)))
  })
})

describe('texts', () => {
  it('never have an exponent', () => {
    expect(priceText(new Decimal(`1e-${PRICE_DECIMALS}`))).toBe('0.000000000000000001')
    expect(String(new Decimal('1e-18'))).toBe('0.000000000000000001')
    expect(JSON.stringify({ cap: new Decimal('1e30') })).toBe('{"cap":"1000000000000000000000000000000"}')
  })

  it('drop trailing zeros', () => {
    expect(solText(new Decimal('1.500000000'))).toBe('1.5')
    expect(tokensText(new Decimal('100.000000'))).toBe('100')
    expect(priceText(new Decimal('0.000000030000000000'))).toBe('0.00000003')
  })
})

describe('Decimal', () => {
  it('multiplies the largest price, SOL and token amounts exactly', () => {
    const priceMax = new Decimal('99999999999999999999.999999999999999999')
    const exact = (10n ** 38n - 1n) * (10n ** 20n - 1n) ** 2n
    expect(priceMax.mul(SOL_MAX).mul(TOKENS_MAX).mul('1e33').toFixed()).toBe(exact.toString())
  })

  it('truncates a quotient that is too long, and never rounds it up', () => {
    expect(new Decimal(2).div(3).toFixed()).toMatch(/^0\.6+$/)
  })
})
