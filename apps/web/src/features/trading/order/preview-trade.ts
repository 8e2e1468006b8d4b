import {
  AmmError,
  type AmmErrorCode,
  Decimal,
  leastAccepted,
  type Pool,
  parseSol,
  parseTokens,
  poolShare,
  priceText,
  quoteBuy,
  quoteSell,
  SOL_DECIMALS,
  solText,
  TOKEN_DECIMALS,
  tokensText,
} from '@papermoon/amm'
import { formatChange } from '@papermoon/format'

export type Side = 'buy' | 'sell'

/** Why an amount cannot be traded. */
export type Refusal = 'empty' | 'nothing' | 'zero' | 'short' | 'tiny' | 'large' | 'closed'

/**
 * The result that a trade would have now. All amounts are exact decimal texts: tokens on one side, SOL on the other.
 */
export interface Quote {
  readonly side: Side
  /** Amount to pay: SOL for a purchase, tokens for a sale. */
  readonly amount: string
  readonly receive: string
  /** Fee of the trade in SOL. */
  readonly fee: string
  /** Average price in SOL, including the fee. */
  readonly price: string
  /** Spot price after the trade, in SOL. */
  readonly priceAfter: string
  /** Change of the spot price as a fraction, which is negative for a sale. */
  readonly impact: Decimal
  /** Min amount that the player accepts, or null if the amount rounds to zero. */
  readonly least: string | null
  /** Change of the player's score in SOL, for a token in a fair. Null for other tokens. */
  readonly scoreChange: string | null
}

export interface Preview {
  readonly quote: Quote | null
  readonly refusal: Refusal | null
}

export interface PreviewInput {
  readonly side: Side
  readonly text: string
  readonly pool: Pool
  /** Exact amount that the player has to pay with. Null if unknown. */
  readonly have: string | null
  readonly slippage: Decimal
  /** Tokens that the player holds, for a token in a fair. Null for other tokens. */
  readonly held?: string | null
}

/** Quotes a trade of the amount `text` with the current pool and the server's formulas. */
export function previewTrade(input: PreviewInput): Preview {
  if (input.text === '') return { quote: null, refusal: refusalOfBlank(input) }
  try {
    const quote = input.side === 'buy' ? buyQuote(input) : sellQuote(input)
    const isShort = input.have !== null && new Decimal(quote.amount).gt(input.have)
    return { quote, refusal: isShort ? 'short' : null }
  } catch (error) {
    if (!(error instanceof AmmError)) throw error
    return { quote: null, refusal: REFUSALS[error.code] }
  }
}

function refusalOfBlank({ pool, have }: PreviewInput): Refusal {
  if (pool.sol.isZero()) return 'closed'
  return have === '0' ? 'nothing' : 'empty'
}

function buyQuote({ pool, text, slippage, held = null }: PreviewInput): Quote {
  const sol = parseSol(text)
  const quote = quoteBuy(pool, sol)
  const least = leastAccepted(quote.tokensOut, slippage, TOKEN_DECIMALS)
  return {
    side: 'buy',
    amount: solText(sol),
    receive: tokensText(quote.tokensOut),
    fee: solText(quote.fee),
    price: priceText(quote.price),
    priceAfter: priceText(quote.spotAfter),
    impact: quote.priceImpact,
    least: least.isZero() ? null : tokensText(least),
    scoreChange: held && computeScoreChange(pool, quote.pool, { held, sol: sol.neg(), tokens: quote.tokensOut }),
  }
}

function sellQuote({ pool, text, slippage, held = null }: PreviewInput): Quote {
  const tokens = parseTokens(text)
  const quote = quoteSell(pool, tokens)
  const least = leastAccepted(quote.solOut, slippage, SOL_DECIMALS)
  return {
    side: 'sell',
    amount: tokensText(tokens),
    receive: solText(quote.solOut),
    fee: solText(quote.fee),
    price: priceText(quote.price),
    priceAfter: priceText(quote.spotAfter),
    impact: quote.priceImpact,
    least: least.isZero() ? null : solText(least),
    scoreChange: held && computeScoreChange(pool, quote.pool, { held, sol: quote.solOut, tokens: tokens.neg() }),
  }
}

interface Received {
  readonly held: string
  /** SOL that the player receives, which is negative for a purchase. */
  readonly sol: Decimal
  /** Tokens that the player receives, which are negative for a sale. */
  readonly tokens: Decimal
}

/** Computes the change of a score in SOL: the SOL received plus the change of the player's share of the pool. */
function computeScoreChange(before: Pool, after: Pool, { held, sol, tokens }: Received): string | null {
  const left = new Decimal(held).add(tokens)
  if (left.isNegative()) return null
  return solText(sol.add(poolShare(after, left)).sub(poolShare(before, new Decimal(held))))
}

const REFUSALS = {
  NOT_A_NUMBER: 'empty',
  NOT_POSITIVE: 'zero',
  AMOUNT_TOO_LARGE: 'large',
  OUTPUT_IS_ZERO: 'tiny',
  POOL_CLOSED: 'closed',
  // Reject such an amount, because the pool never sold so many tokens and nobody can hold them.
  INSUFFICIENT_TOKENS: 'short',
  INSUFFICIENT_LIQUIDITY: 'short',
} as const satisfies Record<AmmErrorCode, Refusal>

/** Levels of the price impact. The limits between the levels are 5, 15 and 30 %. */
type ImpactLevel = 'calm' | 'noticeable' | 'high' | 'extreme'

/** Min price impact, as a fraction, for which a trade needs a confirmation. */
const ASK_FROM = new Decimal('0.5')
const CENT = new Decimal('0.0001')

/** Returns the level of a price impact. The impact is a positive or negative fraction. */
export function impactLevel(impact: Decimal): ImpactLevel {
  const size = impact.abs()
  if (size.gte('0.3')) return 'extreme'
  if (size.gte('0.15')) return 'high'
  return size.gte('0.05') ? 'noticeable' : 'calm'
}

export function isAskedAbout(impact: Decimal): boolean {
  return impact.abs().gte(ASK_FROM)
}

/** Formats a price impact as percent with its sign, such as `+33.23%`. */
export function formatImpact(impact: Decimal): string {
  if (!impact.isZero() && impact.abs().lt(CENT)) return impact.isNegative() ? '> −0.01%' : '< +0.01%'
  return formatChange(impact.mul(100).toFixed())
}

/** The standard amounts: SOL for a purchase, percent of the holding for a sale. */
export const OFFERED: Readonly<Record<Side, readonly string[]>> = {
  buy: ['1', '5', '10'],
  sell: ['25', '50', '75', '100'],
}

/**
 * Returns whether an exact amount is a standard one, because these never need a confirmation. `have` is the amount that
 * the player has to pay with.
 */
export function isOffered(side: Side, amount: string, have: string | null): boolean {
  if (side === 'buy') return OFFERED.buy.some((sol) => new Decimal(amount).eq(sol))
  return have !== null && OFFERED.sell.some((percent) => new Decimal(amount).eq(computeShare(have, percent)))
}

/** Returns `percent` of a token amount, rounded down to 6 decimals. For 100 percent, returns the exact amount. */
export function computeShare(amount: string, percent: number | string): string {
  // Round down, so that the result never exceeds the player's holding.
  return new Decimal(amount).mul(percent).div(100).toDecimalPlaces(TOKEN_DECIMALS, Decimal.ROUND_DOWN).toFixed()
}
