import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyDrawn, type Drawn, PASSED_BY, PLAYERS, SHORT_STOP, SOL, toAct } from './acts.ts'
import { describeReference, doAct, ModelMarket } from './model-market.ts'
import { RefMarket } from './reference.ts'

/** For more, or to reproduce a failure: `MODEL_RUNS=100000 TEST_SEED=1 npm run t -- packages/engine/test/waiting/cascade`. */
const RUNS = Number.parseInt(process.env.MODEL_RUNS ?? '150', 10)
const TEST_MAX_MS = process.env.MODEL_RUNS === undefined ? 240_000 : 7_200_000

/** Does the same to both, some acts in one batch, and compares after each batch. Returns how much happened. */
function play(drawn: readonly (readonly Drawn[])[], sizes: readonly number[]) {
  const reference = new RefMarket(PLAYERS, SOL)
  let asked = 0
  const model = new ModelMarket(PLAYERS, SOL, () => sizes[asked++ % sizes.length] ?? 1)
  for (const group of drawn) {
    // Chosen before the batch: those after the first may be refused, by both.
    const acts = group.map((one) => toAct(reference, one)).filter((act) => act !== null)
    for (const act of acts) doAct(reference, act)
    model.run(acts)
    expect(model.describe(reference)).toEqual(describeReference(reference))
  }
  return { fills: reference.orders.reduce((sum, { fills }) => sum + fills, 0), orders: reference.orders.length }
}

describe('orders that wait', () => {
  it(
    'are filled as by a reference that looks at all of them after each trade, to the last digit',
    () => {
      let fills = 0
      fc.assert(
        fc.property(
          fc.array(fc.array(anyDrawn, { minLength: 1, maxLength: 3 }), { minLength: 5, maxLength: 40 }),
          // Windows of one order and batches of one step too.
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
