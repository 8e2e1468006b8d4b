import type { TokenId } from '../api/api.ts'

/** By token, the `seq` of the player's latest trade whose response is in the cache. */
const cached = new Map<TokenId, number>()

/** Returns whether the cache includes the response to the player's trade `seq` or a later one. */
export function isResponseCached(id: TokenId, seq: number): boolean {
  return (cached.get(id) ?? 0) >= seq
}

/** Records that the cache includes the response to the player's trade `seq`. */
export function noteCachedResponse(id: TokenId, seq: number): void {
  cached.set(id, seq)
}
