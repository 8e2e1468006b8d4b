import { Decimal, launchPool, type Pool, quoteBuy, quoteSell, realSol } from '@papermoon/amm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FloatVenue, type MarketEvent, type Outcome } from '../src/index.ts'

const STORY = { name: 'Teapot', symbol: 'TEA', emoji: '🫖', description: '' }
const CREATOR = 1
const TRADER = 2
const START_SOL = 1000

function openVenue(): FloatVenue {
  const venue = new FloatVenue()
  for (const userId of [CREATOR, TRADER]) venue.grant(userId, START_SOL)
  venue.place({ kind: 'launch', userId: CREATOR, story: STORY, initialBuy: 0 }, 0)
  return venue
}

const place = (venue: FloatVenue, kind: 'buy' | 'sell', amount: number): Outcome =>
  kind === 'buy'
    ? venue.place({ kind, userId: TRADER, tokenId: 1, sol: amount, minTokensOut: 0 }, 0)
    : venue.place({ kind, userId: TRADER, tokenId: 1, tokens: amount, minSolOut: 0 }, 0)

function expectEvents(outcome: Outcome): readonly MarketEvent[] {
  if (!outcome.isDone) throw new Error(`refused: ${outcome.code}`)
  return outcome.events
}

const LAMPORT = 1e-9
/** Number of tokens that a lamport buys at launch, when tokens cost the least. */
const LAMPORT_OF_TOKENS = 0.034

/** Allows for truncation in exact arithmetic, a lamport for each trade so far, and a float's last digits. */
function expectClose(float: number, exact: Decimal, unit: number): void {
  expect(Math.abs(float - exact.toNumber())).toBeLessThanOrEqual(2 * unit + 1e-9 * exact.abs().toNumber())
}

describe('FloatVenue', () => {
  it('trades like the exact market maker, except for truncated decimals', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('buy' as const), amount: fc.integer({ min: 1_000, max: 20_000_000_000 }) }),
        fc.record({ kind: fc.constant('sell' as const), amount: fc.integer({ min: 1, max: 1000 }) }),
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(steps, (all) => {
        const venue = openVenue()
        let pool: Pool = launchPool()
        let held = new Decimal(0)
        let balance = new Decimal(START_SOL)
        for (const [step, { kind, amount }] of all.entries()) {
          const trades = step + 1
          if (kind === 'buy') {
            const sol = new Decimal(amount).div(1e9)
            if (sol.gt(balance)) continue
            const quote = quoteBuy(pool, sol)
            const [event] = expectEvents(place(venue, kind, sol.toNumber()))
            expectClose(
              event?.type === 'trade' ? event.tokens : Number.NaN,
              quote.tokensOut,
              LAMPORT_OF_TOKENS * trades,
            )
            pool = quote.pool
            held = held.add(quote.tokensOut)
            balance = balance.sub(sol)
          } else {
            const tokens = held.mul(amount).div(1000).toDecimalPlaces(6)
            if (tokens.lt(1) || tokens.gt(venue.holding(TRADER, 1))) continue
            const quote = quoteSell(pool, tokens)
            const [event] = expectEvents(place(venue, kind, tokens.toNumber()))
            expectClose(event?.type === 'trade' ? event.sol : Number.NaN, quote.solOut, LAMPORT * trades)
            pool = quote.pool
            held = held.sub(tokens)
            balance = balance.add(quote.solOut)
          }
          expectClose(venue.balance(TRADER), balance, LAMPORT * trades)
          expectClose(venue.holding(TRADER, 1), held, LAMPORT_OF_TOKENS * trades)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('pays the same as exact arithmetic for a rug pull, and closes the pool', () => {
    const venue = openVenue()
    place(venue, 'buy', 12.5)
    expect(venue.place({ kind: 'rug', userId: TRADER, tokenId: 1 }, 0)).toEqual({ isDone: false, code: 'NOT_YOURS' })
    const [rug] = expectEvents(venue.place({ kind: 'rug', userId: CREATOR, tokenId: 1 }, 0))
    const drained = realSol(quoteBuy(launchPool(), new Decimal(12.5)).pool)
    expectClose(rug?.type === 'rug' ? rug.sol : Number.NaN, drained, LAMPORT)
    expect(place(venue, 'buy', 1)).toEqual({ isDone: false, code: 'POOL_CLOSED' })
  })

  it('rejects orders by the same rules as the engine', () => {
    const venue = openVenue()
    const code = (outcome: Outcome) => (outcome.isDone ? 'done' : outcome.code)
    expect(code(place(venue, 'buy', START_SOL + 1))).toBe('INSUFFICIENT_BALANCE')
    expect(code(place(venue, 'sell', 1))).toBe('INSUFFICIENT_TOKENS')
    expect(code(place(venue, 'buy', 0))).toBe('NOT_POSITIVE')
    const greedy = { kind: 'buy', userId: TRADER, tokenId: 1, sol: 1, minTokensOut: 1e9 } as const
    expect(code(venue.place(greedy, 0))).toBe('SLIPPAGE_EXCEEDED')
    expect(code(venue.place({ ...greedy, tokenId: 2 }, 0))).toBe('TOKEN_NOT_FOUND')
    expect(venue.balance(TRADER)).toBe(START_SOL)
  })
})
