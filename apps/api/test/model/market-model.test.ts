import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorsIn, shareTestServer } from '../support/test-server.ts'
import { anySteps } from './any-steps.ts'
import { compareAll } from './compare.ts'
import { everyAnswer } from './every-answer.ts'
import { emptyMarket } from './plain-market.ts'
import { RealMarket } from './real-market.ts'
import { Register, type Walk } from './steps.ts'

/**
 * `npm run chaos:short` has more runs. For more still, or to reproduce a failure: `MODEL_RUNS=1000 TEST_SEED=1 vitest run
 * test/model`.
 */
const RUNS = Number.parseInt(process.env.MODEL_RUNS ?? '3', 10)
/** No run or shrink starts after this time. The current one finishes, since the next test shares the server. */
const SEARCH_MAX_MS = process.env.MODEL_RUNS === undefined ? 30_000 : 3_600_000
const TEST_MAX_MS = SEARCH_MAX_MS + 210_000

const server = await shareTestServer()
const url = `http://127.0.0.1:${await server.listen()}`

/** Starts with two players and no tokens. */
async function begin(): Promise<{ model: Walk; real: RealMarket }> {
  const model: Walk = { market: emptyMarket(), went: '' }
  const real = new RealMarket(url, server.passTime)
  for (const step of [new Register(), new Register()]) await step.run(model, real)
  return { model, real }
}

describe('the market', () => {
  it('gives every known answer, and shows its effects, as the model does', async () => {
    const { model, real } = await begin()
    for (const { step, went } of everyAnswer) {
      await step.run(model, real)
      if (went !== null) expect(model.went).toBe(went)
    }
    await compareAll(model.market, real)
  })

  it(
    'behaves like the model for random orders',
    async () => {
      const endMs = performance.now() + SEARCH_MAX_MS
      const walk = fc.asyncProperty(anySteps, async (steps) => {
        if (performance.now() > endMs) return
        const { model, real } = await begin()
        await fc.asyncModelRun(() => ({ model, real }), steps)
        await compareAll(model.market, real)
      })
      // A failure reports its seed and path.
      await fc.assert(walk, { numRuns: RUNS })
      const books = await readBooks(server.database)
      expect(books).toEqual(balancedBooks(books.granted))
      expect(errorsIn(server)).toEqual([])
    },
    TEST_MAX_MS,
  )
})
