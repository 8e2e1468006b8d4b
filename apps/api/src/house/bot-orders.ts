import { Decimal, type Sol } from '@papermoon/amm'
import { type MarketEvent as BotEvent, type BotOrder, toSeal, toTradeEvent } from '@papermoon/bots'
import type { MarketEvent, Order, TokenId, UserId } from '@papermoon/engine'

/**
 * Converts a bot's order to an order for the engine. Bots round their amounts to the smallest units, so the decimal
 * text of a float is the exact amount.
 */
export function toOrder(order: BotOrder): Order {
  const userId = order.userId as UserId
  switch (order.kind) {
    case 'buy': {
      const minTokensOut = toTokens(order.minTokensOut)
      return { kind: 'buy', userId, tokenId: order.tokenId as TokenId, sol: toSol(order.sol), minTokensOut }
    }
    case 'sell': {
      const minSolOut = toSol(order.minSolOut)
      return { kind: 'sell', userId, tokenId: order.tokenId as TokenId, tokens: toTokens(order.tokens), minSolOut }
    }
    case 'launch': {
      const { name, symbol, emoji, description } = order.story
      const token = { name, symbol, emoji, description, website: null, x: null, telegram: null }
      const initialBuy = order.initialBuy > 0 ? toSol(order.initialBuy) : undefined
      return { kind: 'launch', userId, token, initialBuy, seal: order.seal }
    }
    case 'rug':
      return { kind: 'rug', userId, tokenId: order.tokenId as TokenId }
    case 'seal':
      return { kind: 'seal', userId, tokenId: order.tokenId as TokenId, ...order.seal }
  }
}

const toSol = (sol: number): Sol => new Decimal(sol.toFixed(9))
const toTokens = (tokens: number) => new Decimal(tokens.toFixed(6))

/** Converts a market event to an event for a bot. The bot's time runs `speed` times as fast. */
export function toBotEvent(event: MarketEvent, speed: number): BotEvent {
  const { tokenId } = event
  if (event.type === 'trade') return toTradeEvent(event, Date.parse(event.trade.createdAt) * speed)
  const atMs = Date.parse(event.createdAt) * speed
  if (event.type === 'rug_pull') {
    return { type: 'rug', atMs, tokenId, userId: event.userId, sol: Number(event.amount) }
  }
  if (event.type === 'seal') {
    const { type, userId, kind } = event
    const seal = toSeal(event.seal)
    const { liquidityUntilMs, bagUntilMs } = seal
    const until = { liquidityUntilMs: liquidityUntilMs * speed, bagUntilMs: bagUntilMs * speed }
    return { type, atMs, tokenId, userId, kind, seal: { ...seal, ...until } }
  }
  const { name, symbol, creator } = event
  return { type: 'launch', atMs, tokenId, creatorId: creator.id, name, symbol }
}
