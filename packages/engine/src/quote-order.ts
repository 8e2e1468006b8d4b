import {
  computeMarketCap,
  Decimal,
  LAUNCH_FEE,
  launchPool,
  type Pool,
  percentText,
  priceText,
  type Sol,
  solText,
  spotPrice,
  type Tokens,
} from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import { applyBuy, applySell, type TradeContext, type TradeEffect } from './batch/apply-trade.ts'
import { NO_POSITION, NO_SEAL, type TokenPool, withBalance } from './batch/market.ts'
import { NO_BOOK } from './waiting/waiting-order.ts'

/** The state of the token on which a quote is based. */
export interface QuotedToken {
  readonly tokenId: TokenId
  readonly pool: Pool
  /** The token's sequence number. */
  readonly seq: number
}

/** The amount to quote: SOL to pay or tokens to sell. */
export type QuoteRequest =
  | { readonly kind: 'buy'; readonly sol: Sol }
  | { readonly kind: 'sell'; readonly tokens: Tokens }

/** The result that an order would have now, as exact decimal text. */
export interface OrderQuote {
  /** The token's sequence number at the quote. If the order were placed now, it would get the next number. */
  readonly seq: number
  /** SOL that a buy pays including the fee, or that a sale receives after the fee. */
  readonly solAmount: string
  readonly tokenAmount: string
  /** Trading fee in SOL. */
  readonly fee: string
  /** Average price in SOL per token. */
  readonly price: string
  /** Spot price before the trade. */
  readonly currentPrice: string
  /** Spot price after the trade. */
  readonly newPrice: string
  /** New price / current price − 1, as a percentage with 2 decimals. */
  readonly priceImpact: string
  /** Market cap after the trade, in SOL. */
  readonly newMarketCap: string
}

/** Quotes a trade for a trader who can afford it. Throws the `DomainError` of the rule that the trade breaks. */
export function quoteTrade(token: QuotedToken, request: QuoteRequest): OrderQuote {
  const context = toContext(token)
  const order = { userId: QUOTED, tokenId: token.tokenId }
  const effect =
    request.kind === 'buy'
      ? applyBuy(withSol(context, request.sol), { ...order, ...request }, 0)
      : applySell(withTokens(context, request.tokens), { ...order, ...request }, 0)
  return toQuote(token, effect)
}

/** The result that a launch would have now. */
export interface LaunchQuote extends Omit<OrderQuote, 'price'> {
  readonly launchFee: string
  /** Average price of the first buy, or null if there is none. */
  readonly price: string | null
}

/** Quotes a launch. `solAmount` and `fee` depend on its first buy, if there is one. */
export function quoteLaunch(initialBuy: Sol | undefined): LaunchQuote {
  const token = { tokenId: 0 as TokenId, pool: launchPool(), seq: 0 }
  const launchFee = solText(LAUNCH_FEE)
  if (initialBuy !== undefined) return { ...quoteTrade(token, { kind: 'buy', sol: initialBuy }), launchFee }
  const spot = spotPrice(token.pool)
  const prices = { price: null, currentPrice: priceText(spot), newPrice: priceText(spot), priceImpact: '0.00' }
  const amounts = { solAmount: '0', tokenAmount: '0', fee: '0' }
  return { seq: 0, ...amounts, ...prices, newMarketCap: solText(computeMarketCap(spot)), launchFee }
}

const ZERO = new Decimal(0)
/** An id that no trader has. */
const QUOTED = 0 as UserId
const NO_HASH = '0'.repeat(64)

function toContext({ tokenId, pool, seq }: QuotedToken): TradeContext {
  const price = spotPrice(pool)
  const before: TokenPool = {
    tokenId,
    pool,
    fees: ZERO,
    price,
    seq,
    lastEventAtMs: 0,
    chainHead: NO_HASH,
    isHidden: false,
    creatorId: QUOTED,
    seal: NO_SEAL,
    book: NO_BOOK,
    closing: null,
  }
  return {
    pool: before,
    account: withBalance({ id: QUOTED, userId: QUOTED, username: '' }, ZERO),
    position: NO_POSITION,
  }
}

const withSol = (context: TradeContext, sol: Sol): TradeContext => ({
  ...context,
  account: withBalance(context.account, sol),
})

const withTokens = (context: TradeContext, amount: Tokens): TradeContext => ({
  ...context,
  position: { amount, cost: ZERO },
})

function toQuote({ pool, seq }: QuotedToken, { event }: TradeEffect): OrderQuote {
  const before = spotPrice(pool)
  const { solAmount, tokenAmount, fee, price, spotPrice: newPrice } = event.trade
  return {
    seq,
    solAmount,
    tokenAmount,
    fee,
    price,
    currentPrice: priceText(before),
    newPrice,
    priceImpact: percentText(new Decimal(newPrice).sub(before), before),
    newMarketCap: event.marketCap,
  }
}
