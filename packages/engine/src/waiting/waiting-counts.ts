import type { TokenId, UserId } from '@papermoon/contract/ids'

/** How many orders of players wait, in all and by token. */
export class WaitingCounts {
  readonly #counts = new Map<string, number>()

  add(userId: UserId, tokenId: TokenId, count: number): void {
    for (const key of [`${userId}`, `${userId} ${tokenId}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  /** Of all tokens, or of one. */
  get(userId: UserId, tokenId?: TokenId): number {
    return this.#counts.get(tokenId === undefined ? `${userId}` : `${userId} ${tokenId}`) ?? 0
  }
}
