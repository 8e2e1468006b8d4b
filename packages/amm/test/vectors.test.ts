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
import {
  REF_SOL_MAX,
  REF_TOKENS_MAX,
  type RefFigures,
  type RefPool,
  type RefPosition,
  refBuy,
  refEstimate,
  refLaunch,
  refPositionBuy,
  refPositionSell,
  refPrice,
  refRug,
  refSell,
  refText,
} from './reference.ts'

/** The fields in SOL and in tokens. All other fields have 18 decimals. */
const SOL_FIELDS = 'sol virtualSol solOut gross fee drained cost costRemoved realizedPnl liquidity'.split(' ')
const TOKEN_FIELDS = 'tokens tokensOut amount'.split(' ')

const LAUNCHED = refLaunch()
const POOLS: readonly RefPool[] = [
  LAUNCHED,
  { sol: 130_123_456_789n, virtualSol: LAUNCHED.sol, tokens: 230_549_993_421_337n },
  // A pool that is nearly full, one with many tokens, one with a single micro-token left, and a rugged one.
  { sol: REF_SOL_MAX - 2n, virtualSol: LAUNCHED.sol, tokens: 300_001n },
  { sol: 31_000_000_000n, virtualSol: LAUNCHED.sol, tokens: REF_TOKENS_MAX - 5n },
  { sol: 90_000_000_000n, virtualSol: LAUNCHED.sol, tokens: 1n },
  { sol: 0n, virtualSol: 0n, tokens: 965_000_000_123_456n },
]
const SOLS = [
  ...[0n, 1n, 2n, 3n, 333n, 334n, 1_000n, 10n ** 9n, 17_123_456_789n, 10n ** 16n],
  ...[REF_SOL_MAX, REF_SOL_MAX + 1n],
]
const TOKENS = [
  ...[0n, 1n, 2n, 5n, 6n, 34n, 67n, 10n ** 6n, 32_170_000_000_001n, 10n ** 15n],
  ...[REF_TOKENS_MAX, REF_TOKENS_MAX + 1n],
]
const POSITIONS: readonly RefPosition[] = [
  { amount: 3n, cost: 10n },
  { amount: 32_157_660_514_469n, cost: 1_000_000_000n },
  { amount: 10n ** 15n, cost: REF_SOL_MAX },
  { amount: REF_TOKENS_MAX, cost: 1n },
]

const toSol = (lamports: bigint) => new Decimal(refText(lamports, 9))
const toTokens = (micros: bigint) => new Decimal(refText(micros, 6))
const toPosition = ({ amount, cost }: RefPosition): Position => ({ amount: toTokens(amount), cost: toSol(cost) })
const toPool = ({ sol, virtualSol, tokens }: RefPool): Pool => {
  return { sol: toSol(sol), virtualSol: toSol(virtualSol), tokens: toTokens(tokens) }
}

/** The outcome of the reference, and a function that returns the package's outcome. */
type Case = readonly [RefFigures, () => object]
const inEachPool = (amounts: readonly bigint[], toCase: (pool: RefPool, amount: bigint) => Case) =>
  POOLS.flatMap((pool) => amounts.map((amount) => toCase(pool, amount)))

const CASES: Readonly<Record<string, readonly Case[]>> = {
  buys: inEachPool(SOLS, (pool, sol) => [refBuy(pool, sol), () => quoteBuy(toPool(pool), toSol(sol))]),
  sales: inEachPool(TOKENS, (pool, tokens) => [refSell(pool, tokens), () => quoteSell(toPool(pool), toTokens(tokens))]),
  rugs: POOLS.map((pool) => [refRug(pool), () => rugPool(toPool(pool))]),
  'estimates of buys': inEachPool(SOLS, ({ sol, tokens }, solIn) => [
    { tokensOut: refEstimate(sol, tokens, solIn) },
    () => ({ tokensOut: estimateBuy(toSol(sol), toTokens(tokens), toSol(solIn)) }),
  ]),
  'estimates of sales': inEachPool(TOKENS, ({ sol, tokens }, tokensIn) => [
    { solOut: refEstimate(tokens, sol, tokensIn) },
    () => ({ solOut: estimateSell(toTokens(tokens), toSol(sol), toTokens(tokensIn)) }),
  ]),
  'positions after a buy': [{ amount: 0n, cost: 0n }, ...POSITIONS].map((position) => [
    refPositionBuy(position, 1_000_001n, 31n),
    () => ({ position: positionAfterBuy(toPosition(position), toTokens(1_000_001n), toSol(31n)) }),
  ]),
  'positions after a sale': POSITIONS.flatMap((position) =>
    [1n, 2n, position.amount - 1n, position.amount, position.amount + 1n]
      .filter((tokens) => tokens <= REF_TOKENS_MAX)
      .map(
        (tokens): Case => [
          refPositionSell(position, tokens, 7n),
          () => positionAfterSell(toPosition(position), toTokens(tokens), toSol(7n)),
        ],
      ),
  ),
}

describe('a second implementation with BigInt agrees with the package', () => {
  it('on a launch', () => {
    const pool = launchPool()
    const price = refPrice(LAUNCHED.sol, LAUNCHED.tokens)
    const launched = { ...LAUNCHED, liquidity: 0n, price, marketCap: 30n * 10n ** 18n }
    expectAgreement(launched, () => ({
      ...pool,
      liquidity: realSol(pool),
      price: spotPrice(pool),
      marketCap: marketCap(pool),
    }))
  })

  it.each(Object.entries(CASES))('on %s of every size in every kind of pool', (_, cases) => {
    for (const [outcome, run] of cases) expectAgreement(outcome, run)
  })

  const units = (amount: Decimal, decimals: number): bigint => BigInt(amount.mul(`1e${decimals}`).toFixed())
  const toRefPool = ({ sol, virtualSol, tokens }: Pool): RefPool => {
    return { sol: units(sol, 9), virtualSol: units(virtualSol, 9), tokens: units(tokens, 6) }
  }

  it('on any buy', () => {
    const agrees = fc.property(anyPool, anySol, (pool, sol) =>
      expectAgreement(refBuy(toRefPool(pool), units(sol, 9)), () => quoteBuy(pool, sol)),
    )
    fc.assert(agrees, { numRuns: 1_000 })
  })

  it('on any sale', () => {
    const agrees = fc.property(anyPool, anyTokens, (pool, tokens) =>
      expectAgreement(refSell(toRefPool(pool), units(tokens, 6)), () => quoteSell(pool, tokens)),
    )
    fc.assert(agrees, { numRuns: 1_000 })
  })
})

/** Compares all numbers as text, or the codes of both errors. Rethrows errors other than AmmError. */
function expectAgreement(outcome: RefFigures, run: () => object): void {
  let actual: object
  try {
    actual = toTexts(run())
  } catch (error) {
    if (!(error instanceof AmmError)) throw error
    actual = { error: error.code }
  }
  expect(actual).toMatchObject(toTexts(outcome))
}

function toTexts(figures: object): object {
  return Object.fromEntries(Object.entries(figures).map(([field, value]) => [field, toText(field, value)]))
}

function toText(field: string, value: unknown): unknown {
  if (typeof value === 'bigint')
    return refText(value, SOL_FIELDS.includes(field) ? 9 : TOKEN_FIELDS.includes(field) ? 6 : 18)
  if (Decimal.isDecimal(value)) return value.toJSON()
  return typeof value === 'object' && value !== null ? toTexts(value) : value
}
