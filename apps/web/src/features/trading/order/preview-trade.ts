import {
  AmmError,
  type AmmErrorCode,
  Decimal,
  leastAccepted,
  type Pool,
  parseSol,
  parseTokens,
  priceText,
  quoteBuy,
  quoteSell,
  SOL_DECIMALS,
  solText,
  TOKEN_DECIMALS,
  tokensText,
} from '@papermoon/amm'
import type { Side } from '../fields/side.ts'

/** Why an amount cannot be traded as it stands. */
export type Refusal = 'empty' | 'nothing' | 'zero' | 'short' | 'tiny' | 'large' | 'closed'

/** What a trade would do now. Amounts are exact decimal texts: tokens on one side, SOL on the other. */
export interface Quote {
  readonly side: Side
  /** What is paid, as it is sent: SOL of a buy, tokens of a sale. */
  readonly amount: string
  /** What is received after the fee. */
  readonly receive: string
  /** SOL. */
  readonly fee: string
  /** Average price in SOL, the fee included. */
  readonly price: string
  /** Spot price in SOL after the trade. */
  readonly priceAfter: string
  /** Relative change of the spot price, a fraction; below 0 for a sale. */
  readonly impact: Decimal
  /** The least that is accepted; null where that rounds to nothing. */
  readonly least: string | null
}

export interface Preview {
  readonly quote: Quote | null
  readonly refusal: Refusal | null
}

export interface PreviewInput {
  readonly side: Side
  /** The amount as typed. */
  readonly text: string
  readonly pool: Pool
  /** What the player has of what is paid, exact; null where that is not known. */
  readonly have: string | null
  /** A fraction from 0 to 1. */
  readonly slippage: Decimal
}

/** What trading `text` would do to the pool as it stands, from the maths that the server trades with. */
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

function buyQuote({ pool, text, slippage }: PreviewInput): Quote {
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
  }
}

function sellQuote({ pool, text, slippage }: PreviewInput): Quote {
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
  }
}

const REFUSALS = {
  NOT_A_NUMBER: 'empty',
  NOT_POSITIVE: 'zero',
  AMOUNT_TOO_LARGE: 'large',
  OUTPUT_IS_ZERO: 'tiny',
  POOL_CLOSED: 'closed',
  // More tokens than ever came out of the pool: nobody holds them.
  INSUFFICIENT_TOKENS: 'short',
  INSUFFICIENT_LIQUIDITY: 'short',
} as const satisfies Record<AmmErrorCode, Refusal>
