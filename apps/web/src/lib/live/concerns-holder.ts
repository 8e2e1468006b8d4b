import type { TokenId, UserId } from '../api/api.ts'
import type { MarketEvent } from './live-events.ts'

/** Whether an event affects what a player holds, launched or earned: it is about one of `tokens`, or by the player. */
export function concernsHolder(event: MarketEvent, userId: UserId, tokens: ReadonlySet<TokenId>): boolean {
  if (tokens.has(event.tokenId)) return true
  if (event.type === 'token_launched') return event.creator.id === userId
  return (event.type === 'trade' ? event.trade.userId : event.userId) === userId
}
