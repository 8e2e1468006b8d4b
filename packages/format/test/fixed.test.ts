import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  absolute,
  divideByTens,
  type Fixed,
  formatFixed,
  isAbove,
  isBelow,
  multiply,
  parseFixed,
  toPercent,
} from '../src/fixed.ts'

const units = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n })
const fixed = fc.record({ units, scale: fc.nat(24) })
const decimals = fc.nat(24)

/** Returns the difference between a value and its rounded text, in units of 10^-48. */
function findError(value: Fixed, text: string): bigint {
  return toScale(parseFixed(text), 48) - toScale(value, 48)
}

function toScale({ units, scale }: Fixed, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale)
}

describe('parsing', () => {
  it.each(['', '-', '.5', '+1', '1e3', '0x1f', '1,000', ' 1', '1 ', '1.2.3', 'NaN', 'Infinity', '١'])(
    'refuses %j',
    (text) => expect(() => parseFixed(text)).toThrow(SyntaxError),
  )

  it('accepts a point without digits after it, as people type it', () => {
    expect(parseFixed('12.')).toEqual({ units: 12n, scale: 0 })
  })

  it('returns every digit of what was formatted', () => {
    fc.assert(
      fc.property(fixed, (value) => {
        expect(parseFixed(formatFixed(value, value.scale, 'down'))).toEqual(value)
      }),
    )
  })
})

describe('rounding', () => {
  it('is off by less than one unit of the last decimal, in the requested direction', () => {
    fc.assert(
      fc.property(fixed, decimals, (value, places) => {
        const unit = 10n ** BigInt(48 - places)
        const down = findError(value, formatFixed(value, places, 'down'))
        expect(value.units < 0n ? down >= 0n && down < unit : down <= 0n && -down < unit).toBe(true)
        const floor = findError(value, formatFixed(value, places, 'floor'))
        expect(floor <= 0n && -floor < unit).toBe(true)
        const nearest = findError(value, formatFixed(value, places, 'half-up'))
        expect(2n * (nearest < 0n ? -nearest : nearest) <= unit).toBe(true)
      }),
    )
  })

  it.each([
    ['0.5', '1', '0', '0'],
    ['-0.5', '-1', '0', '-1'],
    ['1.4999', '1', '1', '1'],
    ['-1.5', '-2', '-1', '-2'],
    ['-0.1', '0', '0', '-1'],
  ])('of %s to whole numbers is %s half-up, %s down and %s floor', (text, nearest, down, floor) => {
    const value = parseFixed(text)
    expect(formatFixed(value, 0, 'half-up')).toBe(nearest)
    expect(formatFixed(value, 0, 'down')).toBe(down)
    expect(formatFixed(value, 0, 'floor')).toBe(floor)
  })

  it('fills with zeros if there are fewer decimals', () => {
    expect(formatFixed(parseFixed('-3.1'), 4, 'down')).toBe('-3.1000')
    expect(formatFixed(parseFixed('0.07'), 2, 'down')).toBe('0.07')
  })
})

describe('arithmetic', () => {
  it('compares across scales', () => {
    fc.assert(
      fc.property(fixed, fixed, (one, other) => {
        const limit = formatFixed(other, other.scale, 'down')
        const difference = toScale(one, 48) - toScale(other, 48)
        expect(isBelow(one, limit)).toBe(difference < 0n)
        expect(isAbove(one, limit)).toBe(difference > 0n)
      }),
    )
  })

  it('multiplies, divides by powers of ten and drops the sign exactly', () => {
    expect(multiply(parseFixed('0.07'), 200n)).toEqual({ units: 1400n, scale: 2 })
    expect(formatFixed(divideByTens(parseFixed('999950'), 3), 3, 'down')).toBe('999.950')
    expect(absolute(parseFixed('-2.50'))).toEqual({ units: 250n, scale: 2 })
  })

  it('truncates a percentage', () => {
    expect(formatFixed(toPercent(parseFixed('2'), parseFixed('3'), 2), 2, 'down')).toBe('66.66')
    expect(formatFixed(toPercent(parseFixed('0.001'), parseFixed('8'), 4), 4, 'down')).toBe('0.0125')
    expect(() => toPercent(parseFixed('1'), parseFixed('0'), 2)).toThrow(RangeError)
  })
})
