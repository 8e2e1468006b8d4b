// @vitest-environment jsdom
import { Decimal } from '@papermoon/amm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  computeShare,
  formatImpact,
  impactLevel,
  isAskedAbout,
} from '../../src/features/trading/order/preview-trade.ts'
import {
  isSlippage,
  slippageFraction,
  storedSlippage,
  storeSlippage,
} from '../../src/features/trading/panel/slippage-field.tsx'
import { blockStorage } from '../support/fresh-page.ts'

describe('a share of a holding', () => {
  it('is exactly all of it at 100 percent', () => {
    expect(computeShare('152278164.522878', 100)).toBe('152278164.522878')
  })
  it('is truncated, never rounded up', () => {
    expect(computeShare('0.000003', 50)).toBe('0.000001')
    expect(computeShare('10.000001', 75)).toBe('7.5')
  })
})

describe('a price impact', () => {
  it.each([
    ['0.0499', 'calm'],
    ['0.05', 'noticeable'],
    ['-0.15', 'high'],
    ['0.3', 'extreme'],
    ['-0.3', 'extreme'],
  ])('of %s is %s', (impact, level) => {
    expect(impactLevel(new Decimal(impact))).toBe(level)
  })
  it('requires a confirmation from one half on', () => {
    expect(isAskedAbout(new Decimal('0.499999'))).toBe(false)
    expect(isAskedAbout(new Decimal('-0.5'))).toBe(true)
  })
  it('has a sign, and is not shown as zero if it is small', () => {
    expect(formatImpact(new Decimal('0.3599'))).toBe('+35.99%')
    expect(formatImpact(new Decimal('-0.1'))).toBe('−10.00%')
    expect(formatImpact(new Decimal('0.00001'))).toBe('< +0.01%')
    expect(formatImpact(new Decimal('-0.00001'))).toBe('> −0.01%')
  })
})

describe('the slippage', () => {
  beforeEach(() => localStorage.clear())
  afterEach(() => void vi.unstubAllGlobals())

  it('is 2 percent until it is set', () => {
    expect(storedSlippage()).toBe('2')
  })
  it('is stored for the next visit', () => {
    storeSlippage('0.75')
    expect(storedSlippage()).toBe('0.75')
  })
  it('ignores an invalid stored value', () => {
    localStorage.setItem('papermoon-slippage', '9e9')
    expect(storedSlippage()).toBe('2')
  })
  it('is 2 percent, and can still be changed, if storage is blocked', () => {
    blockStorage('localStorage')
    expect(storedSlippage()).toBe('2')
    expect(() => storeSlippage('3')).not.toThrow()
  })
  it('is at most 50, with 2 decimals', () => {
    expect(['50', '1.25', '1.'].every(isSlippage)).toBe(true)
    expect(['51', '50.01', '1.255', '1·5', ''].some(isSlippage)).toBe(false)
  })
  it('counts as the default while its field is empty', () => {
    expect(slippageFraction('').toFixed()).toBe('0.02')
    expect(slippageFraction('12.5').toFixed()).toBe('0.125')
  })
})
