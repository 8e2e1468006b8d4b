import { describe, expect, it } from 'vitest'
import { Decimal, percentText } from '../src/index.ts'

describe('percentText', () => {
  it.each([
    ['24.6163', '100', '24.62'],
    ['24.615', '100', '24.62'],
    ['24.6149', '100', '24.61'],
    ['-24.615', '100', '-24.62'],
    ['-0.001', '100', '0'],
    ['1', '3', '33.33'],
    ['0.00000000001', '0.00000003', '0.03'],
    ['5', '0', '0'],
  ])('says %s of %s as %s percent', (change, base, percent) => {
    expect(percentText(new Decimal(change), new Decimal(base))).toBe(percent)
  })
})
