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

/** Decimals by field. */
const DECIMALS: Readonly<Record<string, number>> = {
  sol: 9,
  virtualSol: 9,
  solIn: 9,
  solOut: 9,
  gross: 9,
  fee: 9,
  drained: 9,
  cost: 9,
  costRemoved: 9,
  realizedPnl: 9,
  liquidity: 9,
  marketCap: 18,
  tokens: 6,
  tokensIn: 6,
  tokensOut: 6,
  amount: 6,
  price: 18,
  priceImpact: 18,
  spotBefore: 18,
  spotAfter: 18,
}

/** Numbers as text by field; pools and positions are nested. */
export type Figures = { readonly [field: string]: string | Figures }

/** A test case: input, and either the result or the code of the refusal. */
export type Vector =
  | { readonly given: Figures; readonly result: Figures }
  | { readonly given: Figures; readonly error: string }

export type Vectors = {
  readonly about: string
  readonly launch: Figures
  readonly buys: readonly Vector[]
  readonly sells: readonly Vector[]
  readonly rugs: readonly Vector[]
  readonly buyEstimates: readonly Vector[]
  readonly sellEstimates: readonly Vector[]
  readonly positionBuys: readonly Vector[]
  readonly positionSells: readonly Vector[]
}

const LAUNCHED = refLaunch()
const RUGGED: RefPool = { sol: 0n, virtualSol: 0n, tokens: 965_000_000_123_456n }
const TRADED: RefPool = { sol: 130_123_456_789n, virtualSol: LAUNCHED.sol, tokens: 230_549_993_421_337n }
const NEARLY_FULL: RefPool = { sol: REF_SOL_MAX - 2n, virtualSol: LAUNCHED.sol, tokens: 300_001n }
const WIDE: RefPool = { sol: 31_000_000_000n, virtualSol: LAUNCHED.sol, tokens: REF_TOKENS_MAX - 5n }
const ONE_MICRO_LEFT: RefPool = { sol: 90_000_000_000n, virtualSol: LAUNCHED.sol, tokens: 1n }
const POOLS = [LAUNCHED, TRADED, NEARLY_FULL, WIDE, ONE_MICRO_LEFT, RUGGED]

const SOLS = [
  0n,
  1n,
  2n,
  3n,
  333n,
  334n,
  1_000n,
  1_000_000_000n,
  17_123_456_789n,
  10n ** 16n,
  REF_SOL_MAX,
  REF_SOL_MAX + 1n,
]
const TOKENS = [
  0n,
  1n,
  2n,
  5n,
  6n,
  34n,
  67n,
  1_000_000n,
  32_170_000_000_001n,
  10n ** 15n,
  REF_TOKENS_MAX,
  REF_TOKENS_MAX + 1n,
]

/** Computes all vectors by the BigInt reference; deterministic. */
export function makeVectors(): Vectors {
  return {
    about:
      'Made by test/make-vectors.ts from an independent BigInt implementation; do not edit. SOL, tokens and SOL a token as text.',
    launch: text({
      ...LAUNCHED,
      liquidity: 0n,
      price: refPrice(LAUNCHED.sol, LAUNCHED.tokens),
      marketCap: 30n * 10n ** 18n,
    }),
    buys: POOLS.flatMap((pool) => SOLS.map((solIn) => vector({ pool, solIn }, refBuy(pool, solIn)))),
    sells: POOLS.flatMap((pool) => TOKENS.map((tokensIn) => vector({ pool, tokensIn }, refSell(pool, tokensIn)))),
    rugs: POOLS.map((pool) => vector({ pool }, refRug(pool))),
    buyEstimates: POOLS.flatMap((pool) =>
      SOLS.map((solIn) => vector({ pool, solIn }, { tokensOut: refEstimate(pool.sol, pool.tokens, solIn) })),
    ),
    sellEstimates: POOLS.flatMap((pool) =>
      TOKENS.map((tokensIn) => vector({ pool, tokensIn }, { solOut: refEstimate(pool.tokens, pool.sol, tokensIn) })),
    ),
    positionBuys: positionBuys(),
    positionSells: positionSells(),
  }
}

const POSITIONS: readonly RefPosition[] = [
  { amount: 3n, cost: 10n },
  { amount: 32_157_660_514_469n, cost: 1_000_000_000n },
  { amount: 10n ** 15n, cost: REF_SOL_MAX },
  { amount: REF_TOKENS_MAX, cost: 1n },
]

function positionBuys(): Vector[] {
  const none: RefPosition = { amount: 0n, cost: 0n }
  return [none, ...POSITIONS].map((position) =>
    vector({ position, tokensOut: 1_000_001n, solIn: 31n }, refPositionBuy(position, 1_000_001n, 31n)),
  )
}

function positionSells(): Vector[] {
  return POSITIONS.flatMap((position) =>
    [1n, 2n, position.amount - 1n, position.amount, position.amount + 1n]
      .filter((tokensIn) => tokensIn <= REF_TOKENS_MAX)
      .map((tokensIn) => vector({ position, tokensIn, solOut: 7n }, refPositionSell(position, tokensIn, 7n))),
  )
}

/** Formats a case from its input and the reference's outcome. */
export function vector(given: RefFigures, outcome: RefFigures): Vector {
  const { error } = outcome
  return typeof error === 'string' ? { given: text(given), error } : { given: text(given), result: text(outcome) }
}

function text(figures: RefFigures): Figures {
  return Object.fromEntries(Object.entries(figures).map(([field, value]) => [field, fieldText(field, value)]))
}

function fieldText(field: string, value: bigint | string | RefFigures): string | Figures {
  if (typeof value === 'string') throw new Error(`${field} is not a figure`)
  if (typeof value === 'object') return text(value)
  const decimals = DECIMALS[field]
  if (decimals === undefined) throw new Error(`no unit for ${field}`)
  return refText(value, decimals)
}
