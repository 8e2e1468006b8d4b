import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AmmError,
  Decimal,
  estimateBuy,
  estimateSell,
  launchPool,
  marketCap,
  type Pool,
  type Position,
  positionAfterBuy,
  positionAfterSell,
  quoteBuy,
  quoteSell,
  realSol,
  rugPool,
  spotPrice,
} from '../src/index.ts'
import { anyPool, anySol, anyTokens } from './arbitraries.ts'
import { type RefPool, refBuy, refSell } from './reference.ts'
import vectors from './vectors.json' with { type: 'json' }
import { type Figures, makeVectors, type Vector, vector } from './vectors.ts'

describe('vectors.json', () => {
  it('matches the BigInt reference', () => {
    expect(vectors).toEqual(makeVectors())
  })

  it('agrees with the package on a launch', () => {
    const pool = launchPool()
    const launch = { ...pool, liquidity: realSol(pool), price: spotPrice(pool), marketCap: marketCap(pool) }
    expect(texts(launch)).toEqual(makeVectors().launch)
  })

  const kinds: Record<string, { cases: readonly Vector[]; run: (given: Figures) => object }> = {
    buys: { cases: makeVectors().buys, run: (given) => quoteBuy(pool(given), figure(given, 'solIn')) },
    sells: { cases: makeVectors().sells, run: (given) => quoteSell(pool(given), figure(given, 'tokensIn')) },
    rugs: { cases: makeVectors().rugs, run: (given) => rugPool(pool(given)) },
    buyEstimates: {
      cases: makeVectors().buyEstimates,
      run: (given) => ({ tokensOut: estimateBuy(pool(given).sol, pool(given).tokens, figure(given, 'solIn')) }),
    },
    sellEstimates: {
      cases: makeVectors().sellEstimates,
      run: (given) => ({ solOut: estimateSell(pool(given).tokens, pool(given).sol, figure(given, 'tokensIn')) }),
    },
    positionBuys: {
      cases: makeVectors().positionBuys,
      run: (given) => ({
        position: positionAfterBuy(position(given), figure(given, 'tokensOut'), figure(given, 'solIn')),
      }),
    },
    positionSells: {
      cases: makeVectors().positionSells,
      run: (given) => positionAfterSell(position(given), figure(given, 'tokensIn'), figure(given, 'solOut')),
    },
  }

  for (const [kind, { cases, run }] of Object.entries(kinds)) {
    it(`agrees with the package on all ${kind}`, () => {
      for (const { given, ...outcome } of cases) {
        const actual = toOutcome(() => run(given))
        expect({ given, ...actual }).toMatchObject({ given, ...outcome })
      }
    })
  }
})

describe('the BigInt reference', () => {
  const units = (amount: Decimal, decimals: number): bigint => BigInt(amount.mul(`1e${decimals}`).toFixed())
  const refPool = ({ sol, virtualSol, tokens }: Pool): RefPool => ({
    sol: units(sol, 9),
    virtualSol: units(virtualSol, 9),
    tokens: units(tokens, 6),
  })

  it('agrees with the package on any buy', () => {
    fc.assert(
      fc.property(anyPool, anySol, (from, solIn) => {
        const { given, ...outcome } = vector({}, refBuy(refPool(from), units(solIn, 9)))
        expect({ given, ...toOutcome(() => quoteBuy(from, solIn)) }).toMatchObject({ given, ...outcome })
      }),
      { numRuns: 1_000 },
    )
  })

  it('agrees with the package on any sale', () => {
    fc.assert(
      fc.property(anyPool, anyTokens, (from, tokensIn) => {
        const { given, ...outcome } = vector({}, refSell(refPool(from), units(tokensIn, 6)))
        expect({ given, ...toOutcome(() => quoteSell(from, tokensIn)) }).toMatchObject({ given, ...outcome })
      }),
      { numRuns: 1_000 },
    )
  })
})

/** The outcome in the form of a vector. Errors other than AmmError are rethrown, so that the test fails. */
function toOutcome(run: () => object): object {
  try {
    return { result: texts(run()) }
  } catch (error) {
    if (!(error instanceof AmmError)) throw error
    return { error: error.code }
  }
}

function texts(value: object): Figures {
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [field, Decimal.isDecimal(part) ? part.toJSON() : texts(part)]),
  )
}

function figure(figures: Figures, field: string): Decimal {
  const value = figures[field]
  if (typeof value !== 'string') throw new Error(`no figure ${field}`)
  return new Decimal(value)
}

function nested(figures: Figures, field: string): Figures {
  const value = figures[field]
  if (typeof value !== 'object') throw new Error(`no ${field}`)
  return value
}

function pool(given: Figures): Pool {
  const from = nested(given, 'pool')
  return { sol: figure(from, 'sol'), virtualSol: figure(from, 'virtualSol'), tokens: figure(from, 'tokens') }
}

function position(given: Figures): Position {
  const from = nested(given, 'position')
  return { amount: figure(from, 'amount'), cost: figure(from, 'cost') }
}
