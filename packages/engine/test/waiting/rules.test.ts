import { Decimal, parseSol, saleBound, tokensUntil } from '@papermoon/amm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Act, describeReference, doAct, ModelMarket } from './model-market.ts'
import { RefMarket } from './reference.ts'

const SOL_UNITS = 10n ** 9n
const NONE = { price: null, stopPrice: null, leastPrice: null }
const trade = (player: number, side: 'buy' | 'sell', amount: bigint): Act => ({ act: 'trade', player, side, amount })
const limit = (player: number, price: bigint, amount: bigint): Act => {
  return { act: 'place', placed: { ...NONE, player, kind: 'buy', price, amount } }
}

/** Opens both markets. `run` carries out acts in both, as one batch. */
function open(sol: bigint, size: number) {
  const reference = new RefMarket(4, sol)
  const model = new ModelMarket(4, sol, () => size)
  const run = (...acts: Act[]) => {
    for (const act of acts) doAct(reference, act)
    model.run(acts)
  }
  return { reference, model, run }
}

describe('an order that is placed while a cascade runs', () => {
  it('cannot be a stop at a price that this cascade has reached before', () => {
    const { reference, model, run } = open(100n * SOL_UNITS, 1)
    run(trade(0, 'buy', 60n * SOL_UNITS))
    const spot = reference.spot
    for (let n = 0; n < 30; n++) run(limit(1 + (n % 3), (spot * 95n) / 100n, SOL_UNITS / 2n))
    const amount = (reference.tokens[0] ?? 0n) / 4n
    const stop = { ...NONE, player: 0, kind: 'stop', stopPrice: (spot * 55n) / 100n, amount: amount / 2n } as const
    // With one step per batch, the stop is placed after twenty batches, when the price is above the stop again.
    model.run([trade(0, 'sell', amount), { act: 'place', placed: stop }])
    expect([...model.orders.values()].filter(({ state }) => state === 'filled')).toHaveLength(30)
    expect(model.orders.size).toBe(30)
  })

  it('does not overtake orders at its price that did not fit into the range', () => {
    const { reference, model, run } = open(100n * SOL_UNITS, 2)
    run(trade(0, 'buy', 60n * SOL_UNITS))
    const price = (reference.spot * 95n) / 100n
    for (let n = 0; n < 4; n++) run(limit(1, price, SOL_UNITS / 10n))
    const amount = (reference.tokens[0] ?? 0n) / 4n
    // The cancelled order makes room for a step. The new order has the same price, and comes after the two that were
    // not read.
    run({ act: 'cancel', player: 1, id: 1 }, limit(1, price, SOL_UNITS / 5n), trade(0, 'sell', amount))
    expect(model.describe(reference)).toEqual(describeReference(reference))
    expect(reference.orders.filter(({ fills }) => fills === 1)).toHaveLength(4)
  })
})

describe('a sale after a stop', () => {
  it.each(['stop', 'bracket'] as const)('of a %s never brings less than its least price, for any amount', (kind) => {
    let filled = 0
    fc.assert(
      fc.property(
        fc.record({
          bought: fc.integer({ min: 1, max: 9_000 }),
          micros: fc.integer({ min: 3, max: 8 }),
          digits: fc.integer({ min: 1, max: 9 }),
          least: fc.integer({ min: 1, max: 1_000 }),
          beyond: fc.integer({ min: 0, max: 10_000 }),
        }),
        ({ bought, micros, digits, least, beyond }) => {
          const { reference, model, run } = open(10_000n * SOL_UNITS, 64)
          run(trade(0, 'buy', BigInt(bought) * SOL_UNITS), trade(1, 'buy', SOL_UNITS))
          const stopPrice = (reference.spot * 999n) / 1_000n
          const leastPrice = (stopPrice * BigInt(least)) / 1_000n
          const price = kind === 'bracket' ? (reference.spot * 1_005n) / 1_000n : null
          const amount = BigInt(digits) * 10n ** BigInt(micros)
          run({ act: 'place', placed: { player: 1, kind, price, stopPrice, leastPrice, amount } })
          // The bracket's target fills a part, and the rest waits for its stop.
          if (kind === 'bracket') run(trade(2, 'buy', BigInt(bought) * 3n * (SOL_UNITS / 1_000n)))
          const exact = new Decimal(leastPrice.toString()).div('1e18')
          const near = saleBound(exact).mul(1 + beyond / 1e7)
          const enough = tokensUntil(model.pool.pool, near, parseSol('400000000'))
          run(trade(0, 'sell', BigInt(enough.mul(1e6).toFixed(0))))
          for (const sale of model.sales.filter(({ userId }) => userId === 2)) {
            filled++
            expect(exact.mul(sale.tokenAmount).lte(sale.solAmount)).toBe(true)
          }
          expect(model.describe(reference)).toEqual(describeReference(reference))
        },
      ),
      { numRuns: 300 },
    )
    expect(filled).toBeGreaterThan(20)
  })

  it('ends a bracket whose rest is worth too little at its least price, even if not at its target', () => {
    let ended = 0
    for (let room = 0n; room < 80n; room++) {
      const { reference, model, run } = open(100n * SOL_UNITS, 64)
      run(trade(0, 'buy', 20n * SOL_UNITS), trade(1, 'buy', SOL_UNITS))
      const [price, stopPrice] = [(reference.spot * 1_005n) / 1_000n, (reference.spot * 999n) / 1_000n]
      const leastPrice = stopPrice / 10n
      // The amount is worth 0.0011 SOL at the least price.
      const amount = (11n * 10n ** 20n) / leastPrice
      run({ act: 'place', placed: { player: 1, kind: 'bracket', price, stopPrice, leastPrice, amount } })
      run(trade(2, 'buy', ((180n + room) * SOL_UNITS) / 1_000n))
      expect(model.describe(reference)).toEqual(describeReference(reference))
      const [order] = reference.orders
      if (order?.state === 'filled' && order.left > 0n) ended++
    }
    expect(ended).toBeGreaterThan(0)
  })
})
