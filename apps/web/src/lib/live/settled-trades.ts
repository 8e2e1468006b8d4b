import type { TokenId } from '../api/api.ts'

/** Per token, the `seq` of the player's latest trade whose answer is in the cache. */
const settled = new Map<TokenId, number>()

/** Whether the cache includes the answer to the player's trade `seq` or a later one. */
export function isSettled(id: TokenId, seq: number): boolean {
  return (settled.get(id) ?? 0) >= seq
}

/** Records that the cache includes the answer to the player's trade `seq`. */
export function noteSettled(id: TokenId, seq: number): void {
  settled.set(id, seq)
}
