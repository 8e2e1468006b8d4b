import { describe, expect, it } from 'vitest'
import {
  formatChange,
  formatCount,
  formatCountShort,
  formatGain,
  formatMarketCap,
  formatPrice,
  formatShare,
  formatSol,
  formatTokens,
  formatTokensShort,
  formatUsdHint,
  priceLabel,
  priceParts,
} from '../src/index.ts'

describe('prices', () => {
  it('show 6 decimals, and 9 below 0.01', () => {
    expect(priceParts('1234.5').head).toBe('1,234.500000')
    expect(priceParts('0.01').head).toBe('0.010000')
    expect(priceParts('0.009876543219').head).toBe('0.009876543')
  })

  it('count the zeros of anything below 0.001, and include the exact value', () => {
    expect(priceParts('0.00001234')).toEqual({ head: '0.0', zeros: 4, tail: '1234', exact: '0.00001234' })
    expect(priceParts('0.000000030000000001')).toEqual({
      head: '0.0',
      zeros: 7,
      tail: '3',
      exact: '0.000000030000000001',
    })
    expect(priceParts('0.00000003628123456789').tail).toBe('36281')
  })

  it('have the requested precision', () => {
    expect(priceParts('0.000000043156789', 9)).toMatchObject({ head: '0.0', zeros: 7, tail: '43' })
    expect(priceParts('0.5', 9).head).toBe('0.500000000')
  })

  it('show a rugged token’s price as a plain 0', () => {
    expect(priceParts('0')).toEqual({ head: '0', zeros: null, tail: '', exact: '0' })
  })

  it('count zeros with Unicode subscripts if no markup is possible', () => {
    expect(priceLabel('0.00000003')).toBe('0.0₇3')
    expect(priceLabel('2')).toBe('2.000000')
    expect(formatPrice('0.000000036280202699')).toBe('0.00000003628')
    expect(formatPrice('0.000345678999')).toBe('0.000345679')
    expect(formatPrice('2')).toBe('2.000000')
  })

  it('never lose the digits of a price that a float could not hold', () => {
    expect(priceParts('12345678901234567.123456').head).toBe('12,345,678,901,234,567.123456')
  })
})

describe('amounts', () => {
  it('are rounded down, so that nobody sees more than they have', () => {
    expect(formatSol('99.999999999', 2)).toBe('99.99')
    expect(formatTokens('1234567.899999')).toBe('1,234,567.89')
  })

  it('distinguish dust in SOL from nothing', () => {
    expect(formatSol('0.0000001', 6)).toBe('<0.000001')
    expect(formatSol('0.009', 2)).toBe('<0.01')
    expect(formatSol('0.000001', 6)).toBe('0.000001')
    expect(formatSol('0', 6)).toBe('0.000000')
  })

  it('shorten a supply', () => {
    expect(formatTokensShort('1000000000')).toBe('1.00B')
    expect(formatTokensShort('999.5')).toBe('999.50')
  })
})

describe('market caps', () => {
  it.each([
    ['0', '$0'],
    [null, '$0'],
    ['4.06', '$812'],
    ['4.9974', '$999'],
    ['4.9976', '$1.0K'],
    ['30', '$6.0K'],
    ['4999.9', '$1.00M'],
    ['6250', '$1.25M'],
    ['15500000', '$3.10B'],
  ])('%s SOL is %s', (sol, shown) => {
    expect(formatMarketCap(sol)).toBe(shown)
  })
})

describe('changes', () => {
  it.each([
    ['12.4', '+12.40%'],
    ['-3.456', '−3.46%'],
    ['0', '0.00%'],
    ['9999.994', '+9,999.99%'],
    ['9999.995', '+10.0K%'],
    ['163772.76', '+163.8K%'],
    ['12345678', '+12.35M%'],
  ])('%s is %s', (percent, shown) => {
    expect(formatChange(percent)).toBe(shown)
  })
})

describe('shares', () => {
  it.each([
    ['0', '0.00%'],
    ['1', '<0.01%'],
    ['123950000', '12.40%'],
    ['999900000', '99.99%'],
    ['999999999.999999', '>99.99%'],
    ['1000000000', '100.00%'],
  ])('%s of a supply is %s', (part, shown) => {
    expect(formatShare(part, '1000000000')).toBe(shown)
  })
})

describe('dollar hints', () => {
  it('say that they are approximate', () => {
    expect(formatUsdHint('1.5')).toBe('≈\u00a0$300.00')
    expect(formatUsdHint('100')).toBe('≈\u00a0$20,000')
    expect(formatUsdHint('0.00001')).toBe('<\u00a0$0.01')
  })
})

describe('profits and losses', () => {
  it('have a + from zero up and a − below', () => {
    expect(formatGain('1234.5', 6)).toBe('+1,234.500000')
    expect(formatGain('0', 6)).toBe('+0.000000')
    expect(formatGain('-0', 6)).toBe('+0.000000')
    expect(formatGain('-2.5', 2)).toBe('−2.50')
  })

  it('are never rounded in the player’s favour', () => {
    expect(formatGain('0.0000019', 6)).toBe('+0.000001')
    expect(formatGain('-0.0000011', 6)).toBe('−0.000002')
    expect(formatGain('-0.000000001', 6)).toBe('−0.000001')
  })

  it('are shown in dollars with their sign', () => {
    expect(formatUsdHint('-0.06')).toBe('≈\u00a0−$12.00')
    expect(formatUsdHint('-100')).toBe('≈\u00a0−$20,000')
    expect(formatUsdHint('-0.000000001')).toBe('≈\u00a0$0.00')
  })
})

describe('counts', () => {
  it('have commas', () => {
    expect([0, 999, 1_000, 1_113, 10_000_000].map(formatCount)).toEqual(['0', '999', '1,000', '1,113', '10,000,000'])
  })

  it('are short if there is little space', () => {
    expect([0, 999, 1_000, 12_345, 999_950, 1_250_000].map(formatCountShort)).toEqual([
      '0',
      '999',
      '1K',
      '12.3K',
      '1M',
      '1.3M',
    ])
  })
})
