import type { TokenId } from '../api/api.ts'

/** The `seq` of the player's last trade of a token whose answer is in the cache. */
const settled = new Map<TokenId, number>()

/** Whether the answer to the player's trade with this `seq`, or to a later one, is in the cache. */
export function isSettled(id: TokenId, seq: number): boolean {
  return (settled.get(id) ?? 0) >= seq
}

/** Notes that the answer to the player's trade with this `seq` is in the cache. */
export function noteSettled(id: TokenId, seq: number): void {
  settled.set(id, seq)
}
