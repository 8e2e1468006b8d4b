import { balancedBooks, readBooks } from '@papermoon/engine/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { errorsIn, shareTestServer } from '../support/test-server.ts'
import { compareAll } from './compare.ts'
import { begin, Place, PlaceBoth, Register, Wait } from './steps.ts'
import { type Share, UNKNOWN, type Wish } from './wishes.ts'

/** More, or to reproduce a failure: `MODEL_RUNS=1000 TEST_SEED=1`. */
const RUNS = Number.parseInt(process.env.MODEL_RUNS ?? '40', 10)
const server = await shareTestServer()
const url = `http://127.0.0.1:${await server.listen()}`

const STEPS_MAX = 60

const place = fc.nat(11)
/** A small range, so that some keys are used twice. */
const key = fc.option(fc.nat(40))

/** All, parts, almost nothing, nothing, and more than all. */
const share: fc.Arbitrary<Share> = fc.record({
  permille: fc.constantFrom(1_000, 970, 900, 500, 333, 10, 1, 0),
  extra: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.constantFrom(1, 2) },
    { weight: 2, arbitrary: fc.nat(2_000_000_000) },
  ),
})
const above = fc.option(fc.constantFrom(-1_000, 0, 1))
const token = fc.oneof({ weight: 30, arbitrary: place }, { weight: 1, arbitrary: fc.constant(UNKNOWN) })

const launch = fc.record({ kind: fc.constant('launch' as const), player: place, share, key })
const buy = fc.record({ kind: fc.constant('buy' as const), player: place, token, share, above, key })
const sell = fc.record({ kind: fc.constant('sell' as const), player: place, token, share, above, key })
const creator = fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: place })
const rug = fc.record({ kind: fc.constant('rug' as const), player: creator, token: place, key })
const reset = fc.record({ kind: fc.constant('reset' as const), player: place })
const again = fc.record({ kind: fc.constant('again' as const), place: fc.nat(40) })

const order: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 12, arbitrary: buy },
  { weight: 8, arbitrary: sell },
  { weight: 2, arbitrary: rug },
  { weight: 3, arbitrary: reset },
  { weight: 4, arbitrary: again },
)
const both = fc.oneof(
  fc.tuple(order, order),
  order.map((twice): [Wish, Wish] => [twice, twice]),
)

/** Random sequences of steps. */
const anySteps = fc.commands(
  [
    fc.constant(new Register()),
    fc.constant(new Wait()),
    launch.map((wish) => new Place(wish)),
    ...Array.from({ length: 6 }, () => order.map((wish) => new Place(wish))),
    ...Array.from({ length: 2 }, () => both.map((wishes) => new PlaceBoth(...wishes))),
  ],
  { maxCommands: STEPS_MAX, size: 'max' },
)

it('the market behaves like the model for random orders', { timeout: 3_600_000 }, async () => {
  const walk = fc.asyncProperty(anySteps, async (steps) => {
    const start = await begin(url, server.passTime)
    await fc.asyncModelRun(() => start, steps)
    await compareAll(start.model.market, start.real)
  })
  // A failure reports its seed and path.
  await fc.assert(walk, { numRuns: RUNS })
  const books = await readBooks(server.database)
  expect(books).toEqual(balancedBooks(books.granted))
  expect(errorsIn(server)).toEqual([])
})
