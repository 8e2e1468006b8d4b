import type { MarketEvent, TokenId, UserId } from '../api/api.ts'

/**
 * Returns whether an event affects what a player holds, has launched or has earned. The event must be about one of
 * `tokens`, or the player must have caused it.
 */
export function concernsHolder(event: MarketEvent, userId: UserId, tokens: ReadonlySet<TokenId>): boolean {
  if (tokens.has(event.tokenId)) return true
  if (event.type === 'token_launched') return event.creator.id === userId
  return (event.type === 'trade' ? event.trade.userId : event.userId) === userId
}
