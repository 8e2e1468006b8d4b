import { describe, expect, it } from 'vitest'
import { computePriceScale, toGridLines } from '../../src/features/chart/echarts/price-scale.ts'

describe('the scale of prices', () => {
  it('has even steps and room for marks under and over the prices', () => {
    expect(computePriceScale([30, 80])).toEqual({ min: 20, max: 90, step: 10 })
    expect(computePriceScale([41.2, 43.9])).toEqual({ min: 40.5, max: 44.5, step: 0.5 })
  })

  it('holds one price alone, and a price of nothing', () => {
    const one = computePriceScale([30])
    expect(one.min).toBeLessThan(30)
    expect(one.max).toBeGreaterThan(30)
    const nothing = computePriceScale([0, 0])
    expect(nothing.min).toBeLessThanOrEqual(0)
    expect(nothing.max).toBeGreaterThan(0)
    expect(computePriceScale([])).toEqual(nothing)
  })

  it('has a line at each step, without noise in the last digits', () => {
    expect(toGridLines({ min: 0.1, max: 0.7, step: 0.1 })).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
  })

  it('covers every price with three to ten lines', () => {
    for (let low = 0.000_3; low < 1e12; low *= 7) {
      for (const span of [0, 0.001, 0.3, 4, 500]) {
        const scale = computePriceScale([low, low * (1 + span)])
        expect(scale.min).toBeLessThan(low)
        expect(scale.max).toBeGreaterThan(low * (1 + span))
        const lines = toGridLines(scale)
        expect(lines.at(-1)).toBeCloseTo(scale.max, 5)
        expect(lines.length).toBeGreaterThanOrEqual(3)
        expect(lines.length).toBeLessThanOrEqual(10)
      }
    }
  })
})
