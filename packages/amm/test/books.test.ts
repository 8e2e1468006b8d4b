import { describe, expect, it } from 'vitest'
import {
  cashOutValue,
  Decimal,
  gainBetween,
  launchPool,
  netWorth,
  type Pool,
  quoteBuy,
  realSol,
  rugPool,
  type Stake,
  spotPrice,
  stakeWorth,
  unrealizedProfit,
} from '../src/index.ts'
import { assertAlone, assertTogether, type Formulas } from './books-promises.ts'

const RUNS = { numRuns: 200 }
const formulas: Formulas = { netWorth, unrealizedProfit, gainBetween }

describe('a player who is alone', () => {
  it('can never make a profit or own more than was granted', () => {
    assertAlone(formulas, RUNS)
  })

  it('loses exactly the fees by buying 40 SOL of their own token', () => {
    const { pool, tokensOut } = quoteBuy(launchPool(), new Decimal(40))
    const balance = new Decimal('59.98')
    expect(netWorth(balance, [{ pool, amount: tokensOut, isOwn: true }]).toFixed()).toBe('99.86')
    expect(unrealizedProfit(pool, { amount: tokensOut, cost: new Decimal(40) }).toFixed()).toBe('-0.239640001')
  })
})

describe('all players together', () => {
  it('can cash out exactly their net worths, in any order, and never more than was granted', () => {
    assertTogether(formulas, RUNS)
  })
})

describe('a stake', () => {
  const { pool, tokensOut: amount } = quoteBuy(launchPool(), new Decimal(10))

  it('in another’s pool is worth what selling it pays', () => {
    expect(stakeWorth({ pool, amount, isOwn: false })).toEqual(cashOutValue(pool, amount))
  })

  it('in one’s own pool is worth the real SOL, with or without tokens held', () => {
    expect(stakeWorth({ pool, amount, isOwn: true }).toFixed()).toBe('9.97')
    expect(stakeWorth({ pool, amount: new Decimal(0), isOwn: true }).toFixed()).toBe('9.97')
  })

  it('is worth nothing after a rug pull', () => {
    const { pool: closed } = rugPool(pool)
    expect(stakeWorth({ pool: closed, amount, isOwn: true }).toFixed()).toBe('0')
    expect(stakeWorth({ pool: closed, amount, isOwn: false }).toFixed()).toBe('0')
  })
})

describe('a gain', () => {
  it('does not count granted SOL as profit, and is relative to start plus grants', () => {
    const span = { start: new Decimal(5), now: new Decimal(80), granted: new Decimal(95) }
    const { profit, base } = gainBetween(span)
    expect([profit.toFixed(), base.toFixed()]).toEqual(['-20', '100'])
  })
})

/** Each replaces one formula by one that pays too much or too little. */
const MUTATIONS: Record<string, Partial<Formulas>> = {
  'an unrealized profit at the market’s price': {
    unrealizedProfit: (pool, { amount, cost }) => markValue(pool, amount).sub(cost),
  },
  'an unrealized profit that forgets the fee of the sale': {
    unrealizedProfit: (pool, { amount, cost }) => cashOutValue(pool, amount).div('0.997').toDecimalPlaces(9).sub(cost),
  },
  'an unrealized profit that forgets the cost': {
    unrealizedProfit: (pool, { amount }) => cashOutValue(pool, amount),
  },
  'a net worth that adds one’s own bag to one’s own pool': worthBy((stake) =>
    cashOutValue(stake.pool, stake.amount).add(stake.isOwn ? realSol(stake.pool) : 0),
  ),
  'a net worth that counts virtual SOL': worthBy((stake) => (stake.isOwn ? stake.pool.sol : stakeWorth(stake))),
  'a net worth at the market’s price': worthBy((stake) =>
    stake.isOwn ? realSol(stake.pool) : markValue(stake.pool, stake.amount),
  ),
  'a net worth that takes every pool for one’s own': worthBy(({ pool }) => realSol(pool)),
  'a net worth that takes no pool for one’s own': worthBy(({ pool, amount }) => cashOutValue(pool, amount)),
  'a gain that counts what was granted': {
    gainBetween: ({ start, now }) => ({ profit: now.sub(start), base: start }),
  },
  'a percentage of the start without what was granted': {
    gainBetween: (span) => ({ ...gainBetween(span), base: span.start }),
  },
}

describe('a mutation breaks the promises:', () => {
  it.each(Object.entries(MUTATIONS))('%s', (_, mutation) => {
    const mutated = { ...formulas, ...mutation }
    expect(() => {
      assertTogether(mutated, { ...RUNS, seed: 1 })
      assertAlone(mutated, { ...RUNS, seed: 1 })
    }).toThrow(/Property failed/)
  })
})

function markValue(pool: Pool, amount: Decimal): Decimal {
  return spotPrice(pool).mul(amount).toDecimalPlaces(9, Decimal.ROUND_DOWN)
}

function worthBy(worth: (stake: Stake) => Decimal): Partial<Formulas> {
  return { netWorth: (balance, stakes) => stakes.reduce((sum, stake) => sum.add(worth(stake)), balance) }
}
