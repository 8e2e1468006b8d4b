import { expect, it } from 'vitest'
import { toSparkline } from '../../src/features/tokens/list/card-figures.ts'

const HOUR = 3_600_000
const line = (closes: [hour: number, price: string][]) =>
  toSparkline({
    startMs: 0,
    endMs: 24 * HOUR,
    firstPrice: '5',
    closes: closes.map(([hour, price]) => ({ atMs: hour * HOUR, price })),
  })

it('a sparkline starts at the first price and goes on at the last one', () => {
  expect(line([])).toEqual(Array.from({ length: 25 }, () => '5'))
  expect(line([[2, '7']])).toEqual(['5', '5', ...Array.from({ length: 23 }, () => '7')])
})

it('a sparkline ends with the price of a candle that is still open', () => {
  expect(
    line([
      [1, '6'],
      [24.5, '9'],
    ]).slice(-2),
  ).toEqual(['6', '9'])
})

it('a sparkline takes the last of several closes in one step', () => {
  expect(
    line([
      [0.2, '6'],
      [0.9, '8'],
      [1.5, '3'],
    ]).slice(0, 4),
  ).toEqual(['5', '8', '3', '3'])
})
