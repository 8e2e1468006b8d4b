import { describe, expect, it } from 'vitest'
import { type Target, toMeasurement } from '../src/report/measurement.ts'
import { median, quantile } from '../src/report/median.ts'

describe('median', () => {
  it('is the middle value in any order', () => {
    expect(median([9, 1, 5])).toBe(5)
    expect(median([100, 20, 3])).toBe(20)
  })

  it('is the mean of the two middle values', () => {
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  it('refuses an empty list', () => {
    expect(() => median([])).toThrow(RangeError)
  })
})

describe('quantile', () => {
  it('interpolates between two values', () => {
    expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9)
    expect(quantile([1, 2, 3], 0)).toBe(1)
    expect(quantile([1, 2, 3], 1)).toBe(3)
  })
})

describe('toMeasurement', () => {
  const round = (subject: number, baseline: number) => ({
    subject: { perSecond: subject, p50Ms: 1 },
    baseline: { perSecond: baseline, p50Ms: 2 },
  })
  const about = { suite: 'reads', name: 'token', figure: 'perSecond' }

  it('uses the ratio of each round, so slow rounds count equally', () => {
    const rounds = [round(10, 10), round(1, 2), round(60, 100)]
    const { ratio, spread, subject, baseline } = toMeasurement({ ...about, target: null, rounds })
    expect(ratio).toBe(0.6)
    expect(spread).toEqual([0.5, 1])
    expect(subject).toEqual({ perSecond: 10, p50Ms: 1 })
    expect(baseline).toEqual({ perSecond: 10, p50Ms: 2 })
  })

  it('says whether a target is met', () => {
    const isMet = (target: Target) => toMeasurement({ ...about, target, rounds: [round(5, 10)] }).isMet
    expect([isMet({ min: 0.5 }), isMet({ min: 0.51 })]).toEqual([true, false])
    expect([isMet({ max: 0.5 }), isMet({ max: 0.49 })]).toEqual([true, false])
    // A target for the subject itself, which is 5.
    expect([isMet({ figureMax: 5 }), isMet({ figureMax: 4.9 })]).toEqual([true, false])
  })
})
