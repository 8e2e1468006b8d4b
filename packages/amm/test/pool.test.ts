import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  computeMarketCap,
  Decimal,
  estimateBuy,
  estimateSell,
  FEE_RATE,
  LAUNCH_FEE,
  launchPool,
  leastAccepted,
  marketCap,
  percentText,
  quoteBuy,
  quoteSell,
  readPool,
  realSol,
  rugPool,
  SOL_DECIMALS,
  STARTING_BALANCE,
  SUPPLY,
  spotPrice,
  TOKEN_DECIMALS,
  USD_PER_SOL,
  VIRTUAL_SOL,
} from '../src/index.ts'
import { anySol, anyTokens, attempt, outside, tradedPool } from './arbitraries.ts'

it('reads a pool from the API’s decimal texts', () => {
  const [sol, virtualSol, tokens] = [32.5, 30, 900].map((value) => new Decimal(value))
  expect(readPool({ solReserve: '32.5', realSol: '2.5', tokenReserve: '900' })).toEqual({ sol, virtualSol, tokens })
})

describe('a launched pool', () => {
  it('starts at 0.00000003 SOL per token and a market cap of 30 SOL ($6,000), without liquidity', () => {
    const pool = launchPool()
    expect(spotPrice(pool).toFixed()).toBe('0.00000003')
    expect(marketCap(pool).toFixed()).toBe('30')
    expect(computeMarketCap(spotPrice(pool)).mul(USD_PER_SOL).toFixed()).toBe('6000')
    expect(realSol(pool).toFixed()).toBe('0')
  })
})

describe('the constants', () => {
  it('have the promised values', () => {
    const constants = { SUPPLY, VIRTUAL_SOL, FEE_RATE, LAUNCH_FEE, STARTING_BALANCE, USD_PER_SOL }
    expect(Object.entries(constants).map(([name, value]) => `${name} ${value.toFixed()}`)).toEqual([
      'SUPPLY 1000000000',
      'VIRTUAL_SOL 30',
      'FEE_RATE 0.003',
      'LAUNCH_FEE 0.02',
      'STARTING_BALANCE 100',
      'USD_PER_SOL 200',
    ])
  })
})

describe('a rug pull', () => {
  it('drains exactly the real SOL, sets the price to 0 and keeps the tokens', () => {
    fc.assert(
      fc.property(tradedPool, (pool) => {
        const { drained, pool: rugged } = rugPool(pool)
        expect(drained.eq(pool.sol.sub(30))).toBe(true)
        expect(rugged).toEqual({ sol: new Decimal(0), virtualSol: new Decimal(0), tokens: pool.tokens })
        expect(spotPrice(rugged).toFixed()).toBe('0')
        expect(marketCap(rugged).toFixed()).toBe('0')
        expect(realSol(rugged).toFixed()).toBe('0')
      }),
      { numRuns: 200 },
    )
  })
})

describe('an estimate', () => {
  it('is 0 if any input is 0 or below', () => {
    for (const bad of ['0', '-1', 'NaN']) {
      const [one, none] = [new Decimal(1), new Decimal(bad)]
      for (const [a, b, c] of [
        [none, one, one],
        [one, none, one],
        [one, one, none],
      ] as const) {
        expect(estimateBuy(a, b, c).toFixed()).toBe('0')
        expect(estimateSell(a, b, c).toFixed()).toBe('0')
      }
    }
  })

  it('is never below the actual trade, which pays the fee', () => {
    fc.assert(
      fc.property(tradedPool, anySol, anyTokens, (pool, sol, tokens) => {
        const bought = attempt(() => quoteBuy(pool, sol))
        if (bought !== undefined) expect(estimateBuy(pool.sol, pool.tokens, sol).gte(bought.tokensOut)).toBe(true)
        const sold = attempt(() => quoteSell(pool, Decimal.min(tokens, outside(pool))))
        if (sold !== undefined) expect(estimateSell(pool.tokens, pool.sol, sold.tokensIn).gt(sold.solOut)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('leastAccepted', () => {
  it('rounds down, so that no order is rejected because of dust', () => {
    expect(leastAccepted(new Decimal('0.000003'), new Decimal('0.01'), TOKEN_DECIMALS).toFixed()).toBe('0.000002')
    expect(leastAccepted(new Decimal('1.000000001'), new Decimal('0.005'), SOL_DECIMALS).toFixed()).toBe('0.995')
  })

  it('is the whole amount at slippage 0 and nothing at slippage 1', () => {
    expect(leastAccepted(new Decimal('1.5'), new Decimal(0), SOL_DECIMALS).toFixed()).toBe('1.5')
    expect(leastAccepted(new Decimal('1.5'), new Decimal(1), SOL_DECIMALS).toFixed()).toBe('0')
  })

  it('treats a slippage outside 0 to 1 as a bug', () => {
    for (const slippage of ['-0.1', '1.1', 'NaN', 'Infinity']) {
      expect(() => leastAccepted(new Decimal(1), new Decimal(slippage), SOL_DECIMALS)).toThrow(RangeError)
    }
  })
})

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
