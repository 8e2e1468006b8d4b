import {
  computeMarketCap,
  Decimal,
  type Pool,
  percentText,
  positionAfterSell,
  priceText,
  quoteBuy,
  quoteSell,
  solText,
  tokensText,
} from '@papermoon/amm'
import {
  cache,
  client,
  type Position,
  type Token,
  type TokenId,
  type Trade,
  type TradeEvent,
} from '../../../lib/api/api.ts'
import { setBalance } from '../../../lib/api/current-user.ts'
import type { Keyed } from '../../../lib/api/use-order.ts'
import { applyToToken, refetchToken } from '../../../lib/live/live-cache.ts'
import { isResponseCached, noteCachedResponse } from '../../../lib/live/own-account.ts'
import { currentConnection } from '../../../lib/live/socket.ts'
import { toPool } from '../../../lib/market/pool-from-state.ts'
import type { Side } from './preview-trade.ts'

export interface Order {
  readonly side: Side
  readonly tokenId: TokenId
  /** Amount to pay as exact decimal text: SOL for a purchase, or tokens for a sale. */
  readonly amount: string
  /** Min amount to receive, or null to accept any amount. */
  readonly least: string | null
}

export interface Answer {
  /** The tokens received by a purchase, or the SOL received by a sale. */
  readonly received: string
  readonly trade: Trade
  readonly position: Position
  /** A sale's gain or loss, or null for a purchase and if the cost of the sold tokens is unknown. */
  readonly gain?: SaleGain | null
}

/** SOL received by a sale minus the average cost of the sold tokens, as exact text. */
export interface SaleGain {
  readonly sol: string
  readonly percent: string
}

export async function placeOrder(order: Keyed<Order>, options: { readonly signal: AbortSignal }): Promise<Answer> {
  const { side, tokenId, amount, requestId } = order
  const least = order.least ?? undefined
  if (side === 'buy') {
    const input = { tokenId, solAmount: amount, minTokensOut: least, requestId }
    const { tokensOut, trade, position } = await client.trading.buy.mutate(input, options)
    return { received: tokensOut, trade, position }
  }
  const input = { tokenId, tokenAmount: amount, minSolOut: least, requestId }
  const { solOut, trade, position } = await client.trading.sell.mutate(input, options)
  return { received: solOut, trade, position }
}

/**
 * Writes an order response to the cache: holding, balance, and the token with its chart, trades and holders. The later
 * live event of the same trade then changes nothing. If other trades came between and the live feed is down, fetches
 * the token again.
 */
export function cacheTrade(id: TokenId, { trade, position }: Answer): void {
  if (isResponseCached(id, trade.seq)) return
  noteCachedResponse(id, trade.seq)
  // Keep `hiddenToken`, because only the query's own response contains it.
  cache.trading.position.setData({ tokenId: id }, (before) => ({ ...before, ...position }))
  setBalance(id, position.balance)
  const token = cache.tokens.get.getData({ id })
  if (token === undefined || trade.seq <= token.seq) return
  const event = toEvent(token, trade, position.amount)
  if (event !== null) applyToToken(id, [event])
  else if (currentConnection().state !== 'live') refetchToken(id)
}

export async function refetchPosition(tokenId: TokenId): Promise<void> {
  await cache.trading.position.fetch({ tokenId }, { staleTime: 0 })
}

/**
 * Builds the live event for the player's own trade from its response. Returns null if other trades came between,
 * because the pool before the trade is then unknown.
 */
export function toEvent(token: Token, trade: Trade, holding: string): TradeEvent | null {
  if (token.ruggedAt !== null || trade.seq !== token.seq + 1) return null
  const { pool, spotAfter } = quoteTrade(toPool(token), trade)
  if (!spotAfter.eq(trade.spotPrice)) return null
  return {
    type: 'trade',
    tokenId: trade.tokenId,
    seq: trade.seq,
    trade,
    pool: {
      solReserve: solText(pool.sol),
      tokenReserve: tokensText(pool.tokens),
      realSol: solText(pool.sol.sub(pool.virtualSol)),
    },
    currentPrice: trade.spotPrice,
    marketCap: priceText(computeMarketCap(spotAfter)),
    volume: solText(trade.side === 'buy' ? new Decimal(trade.solAmount) : new Decimal(trade.solAmount).add(trade.fee)),
    holding,
  }
}

function quoteTrade(pool: Pool, { side, solAmount, tokenAmount }: Trade): { pool: Pool; spotAfter: Decimal } {
  return side === 'buy' ? quoteBuy(pool, new Decimal(solAmount)) : quoteSell(pool, new Decimal(tokenAmount))
}

/**
 * Computes a sale's gain or loss compared to the average cost of the sold tokens. `before` is the holding that was
 * known when the order was sent. Returns null if that holding is unknown, or if it changed before the sale.
 */
export function computeSaleGain({ trade, position }: ExecutedSale, before: Holding | undefined): SaleGain | null {
  const { side, solAmount, tokenAmount } = trade
  if (side !== 'sell' || before === undefined) return null
  const held = { amount: new Decimal(before.amount), cost: new Decimal(before.cost) }
  if (!held.amount.eq(new Decimal(position.amount).add(tokenAmount))) return null
  const sale = positionAfterSell(held, new Decimal(tokenAmount), new Decimal(solAmount))
  if (!sale.position.cost.eq(position.cost)) return null
  return { sol: solText(sale.realizedPnl), percent: percentText(sale.realizedPnl, sale.costRemoved) }
}

type Holding = Pick<Position, 'amount' | 'cost'>

interface ExecutedSale {
  readonly trade: Pick<Trade, 'side' | 'solAmount' | 'tokenAmount'>
  readonly position: Holding
}
