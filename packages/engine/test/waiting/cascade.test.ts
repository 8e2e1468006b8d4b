import { Decimal, launchPool, spotPrice } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyBatch } from '../../src/batch/apply-batch.ts'
import { Market, NO_SEAL, withBalance } from '../../src/batch/market.ts'
import { toUnqueued } from '../../src/order-queue.ts'
import { EMPTY_READS } from '../../src/sql/read.ts'
import { OrderRange } from '../../src/waiting/order-range.ts'
import { NO_BOOK } from '../../src/waiting/waiting-order.ts'
import { anyDrawn, type Drawn, PASSED_BY, PLAYERS, SHORT_STOP, SOL, toAct } from './acts.ts'
import { describeReference, doAct, ModelMarket } from './model-market.ts'
import { RefMarket } from './reference.ts'

/**
 * `MODEL_RUNS=100000 TEST_SEED=1 npm run t -- packages/engine/test/waiting/cascade` runs more, or repeats a failure.
 */
const RUNS = Number.parseInt(process.env.MODEL_RUNS ?? '150', 10)
const TEST_MAX_MS = process.env.MODEL_RUNS === undefined ? 240_000 : 7_200_000

/**
 * Carries out the same acts in both markets, each group in one batch, and compares after each batch. Returns the
 * numbers of fills and orders.
 */
function play(drawn: readonly (readonly Drawn[])[], sizes: readonly number[]) {
  const reference = new RefMarket(PLAYERS, SOL)
  let asked = 0
  const model = new ModelMarket(PLAYERS, SOL, () => sizes[asked++ % sizes.length] ?? 1)
  for (const group of drawn) {
    // The acts are chosen before the batch, so acts after the first may be rejected, but in both markets alike.
    const acts = group.map((one) => toAct(reference, one)).filter((act) => act !== null)
    for (const act of acts) doAct(reference, act)
    model.run(acts)
    expect(model.describe(reference)).toEqual(describeReference(reference))
  }
  return { fills: reference.orders.reduce((sum, { fills }) => sum + fills, 0), orders: reference.orders.length }
}

describe('waiting orders', () => {
  it(
    'are filled exactly like in a reference that checks all of them after each trade',
    () => {
      let fills = 0
      fc.assert(
        fc.property(
          fc.array(fc.array(anyDrawn, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 40 }),
          // Some runs read only one order at a time, or make only one step per batch.
          fc.array(fc.constantFrom(1, 2, 3, 5, 64), { minLength: 1, maxLength: 5 }),
          (drawn, sizes) => {
            fills += play(drawn, sizes).fills
          },
        ),
        {
          numRuns: RUNS,
          examples: [
            [PASSED_BY, [1]],
            [SHORT_STOP, [1]],
          ],
        },
      )
      expect(fills).toBeGreaterThan(300)
    },
    TEST_MAX_MS,
  )
})

describe('a cascade that a batch leaves unfinished', () => {
  const tokenId = 1 as TokenId
  const userId = 1 as UserId
  const EDGES = { buysLow: null, buysHigh: null, stopsLow: null, stopsHigh: null, salesLow: null, salesHigh: null }

  /** Applies a batch with a buy of the token, after earlier batches of its cascade. */
  function applyBuyBeside({ batches, steps = 1 }: { batches: number; steps?: number }) {
    const market = new Market()
    market.setAccount(withBalance({ id: 1, userId, username: 'player' }, new Decimal(100)))
    const pool = launchPool()
    const price = spotPrice(pool)
    const book = { ...NO_BOOK, cascade: 1, running: { from: price, low: price, batches } }
    const about = { fees: new Decimal(0), seq: 0, lastEventAtMs: 0, chainHead: '', isHidden: false, closing: null }
    market.setPool({ tokenId, pool, price, book, creatorId: userId, seal: NO_SEAL, ...about })
    // The range was read for another cascade, so this batch makes no step.
    const range = new OrderRange([], EDGES, 2)
    range.steps = steps
    const buy = { kind: 'buy', userId, tokenId, sol: new Decimal(1) } as const
    const reads = { ...EMPTY_READS, nextTokenId: () => tokenId, ranges: new Map([[tokenId, range]]) }
    return applyBatch(market, [toUnqueued(buy, 'key', false)], { reads, nowMs: 1 })
  }

  it.each([
    [32, 6],
    [33, 7],
  ])('of %d steps counts as one batch up to 32 of them, and otherwise as two', (steps, counted) => {
    expect(applyBuyBeside({ batches: 5, steps }).changes.books.get(tokenId)?.running?.batches).toBe(counted)
  })

  it('makes new orders wait for twenty batches, and then takes turns with them', () => {
    const [early, late] = [applyBuyBeside({ batches: 19 }), applyBuyBeside({ batches: 20 })]
    expect([early.deferred.length, early.outcomes.length]).toEqual([1, 0])
    expect([late.deferred.length, late.outcomes.length]).toEqual([0, 1])
  })
})
