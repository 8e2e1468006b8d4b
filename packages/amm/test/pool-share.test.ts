import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Decimal, launchPool, poolShare, realSol, rugPool } from '../src/index.ts'
import { outside, tradedPool } from './arbitraries.ts'

const NONE = new Decimal(0)

it('the shares of all players never exceed the pool’s real SOL, and lose less than a lamport each', () => {
  fc.assert(
    fc.property(tradedPool, fc.integer({ min: 0, max: 1_000 }), (pool, part) => {
      const first = outside(pool).mul(part).div(1_000).toDecimalPlaces(6, Decimal.ROUND_DOWN)
      const shares = poolShare(pool, first).add(poolShare(pool, outside(pool).sub(first)))
      const lost = realSol(pool).sub(shares)
      expect(lost.gte(0) && lost.lt('2e-9')).toBe(true)
    }),
  )
})

it('a share is 0 without tokens, and of a rugged pool', () => {
  expect(poolShare(launchPool(), NONE)).toEqual(NONE)
  expect(poolShare(rugPool(launchPool()).pool, NONE)).toEqual(NONE)
})
