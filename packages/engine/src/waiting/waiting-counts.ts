import type { TokenId, UserId } from '@papermoon/contract/ids'

/** Number of waiting orders per player, in all and by token. */
export class WaitingCounts {
  readonly #counts = new Map<string, number>()

  add(userId: UserId, tokenId: TokenId, count: number): void {
    for (const key of [`${userId}`, `${userId} ${tokenId}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  /** Returns a player's number of waiting orders for one token, or for all tokens. */
  get(userId: UserId, tokenId?: TokenId): number {
    return this.#counts.get(tokenId === undefined ? `${userId}` : `${userId} ${tokenId}`) ?? 0
  }
}
