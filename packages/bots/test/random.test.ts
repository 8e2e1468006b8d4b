import { describe, expect, it } from 'vitest'
import { createRandom } from '../src/index.ts'

const DRAWS = 20_000

describe('createRandom', () => {
  it('repeats itself for the same seed, and differs for another', () => {
    const draw = (seed: number) =>
      Array.from(
        { length: 20 },
        (
          (random) => () =>
            random.next()
        )(createRandom(seed)),
      )
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })

  it('forks by label, whatever was drawn before', () => {
    const fresh = createRandom(7)
    const used = createRandom(7)
    used.normal()
    expect(used.fork('a').next()).toBe(fresh.fork('a').next())
    expect(fresh.fork('a').next()).not.toBe(fresh.fork('b').next())
  })

  it('draws from the named distributions', () => {
    const random = createRandom('distributions')
    const draw = (one: () => number) => Array.from({ length: DRAWS }, one).sort((a, b) => a - b)
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const quantile = (values: readonly number[], share: number) => values[Math.floor(share * values.length)] ?? 0

    expect(mean(draw(() => random.uniform(2, 4)))).toBeCloseTo(3, 1)
    const normals = draw(() => random.normal())
    expect(mean(normals)).toBeCloseTo(0, 1)
    expect(quantile(normals, 0.8413)).toBeCloseTo(1, 1)
    expect(mean(draw(() => random.exponential(5))) / 5).toBeCloseTo(1, 1)
    const sizes = draw(() => random.logNormal(2, 0.5))
    expect(quantile(sizes, 0.5) / 2).toBeCloseTo(1, 1)
    expect(Math.log(quantile(sizes, 0.8413) / 2)).toBeCloseTo(0.5, 1)
    const tail = draw(() => random.pareto(3, 2))
    expect(tail[0]).toBeGreaterThanOrEqual(3)
    expect(quantile(tail, 0.75)).toBeCloseTo(6, 0)
  })

  it('picks whole numbers and items within their bounds, and returns nothing for an empty list', () => {
    const random = createRandom(1)
    const seen = new Set(Array.from({ length: 200 }, () => random.int(3)))
    expect([...seen].sort()).toEqual([0, 1, 2])
    expect(random.pick(['a'])).toBe('a')
    expect(() => random.pick([])).toThrow(RangeError)
  })
})
