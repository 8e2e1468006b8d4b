import { type MarketEvent as BotEvent, type TokenStart, toTradeEvent } from '@papermoon/bots'
import type { MarketEvent, Token } from './types.ts'

/** An event of the API as the strategies take it: figures as numbers, times as Unix ms. */
export function toBotEvent(event: MarketEvent): BotEvent {
  const { tokenId } = event
  if (event.type === 'token_launched') {
    const { name, symbol, creator, createdAt } = event
    return { type: 'launch', atMs: Date.parse(createdAt), tokenId, creatorId: creator.id, name, symbol }
  }
  if (event.type === 'rug_pull') {
    return { type: 'rug', atMs: Date.parse(event.createdAt), tokenId, userId: event.userId, sol: Number(event.amount) }
  }
  return toTradeEvent(event, Date.parse(event.trade.createdAt))
}

/**
 * What the strategies know of a token that was there before the first event. Lists have no count of holders, so half the
 * trades stand for it.
 */
export function toTokenStart(token: Token, creator: { readonly rugs: number; readonly launches: number }): TokenStart {
  const createdAtMs = Date.parse(token.createdAt)
  return {
    id: token.id,
    name: token.name,
    symbol: token.symbol,
    createdAtMs,
    creatorId: token.creator.id,
    creatorRugs: creator.rugs,
    creatorLaunches: creator.launches,
    solReserve: Number(token.pool.solReserve),
    tokenReserve: Number(token.pool.tokenReserve),
    lastTradeAtMs: createdAtMs,
    tradeCount: token.totalTrades,
    volume: Number(token.volume24h),
    holderCount: Math.ceil(token.totalTrades / 2),
    isRugged: token.ruggedAt !== null,
  }
}
