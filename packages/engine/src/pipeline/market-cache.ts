import type { BatchChanges } from '../batch/changes.ts'
import { Market } from '../batch/market.ts'
import { getAccountId } from '../orders.ts'
import type { PendingOrder } from '../pending-order.ts'

const BYTES_MAX = 100_000_000

/**
 * The market as this process last wrote or read it, so that the next batch need not read it again. A batch is written
 * only if every row is still as cached, because other nodes may have written, too. A conflict clears the cache.
 */
export class MarketCache {
  readonly market = new Market()
  #epoch = 0

  /** Number of times that `clear` was called. Batches from before the last call are invalid. */
  get epoch(): number {
    return this.#epoch
  }

  get isFull(): boolean {
    return this.market.bytes >= BYTES_MAX
  }

  /** Removes rows that these orders may have changed. */
  invalidate(orders: readonly PendingOrder[]): void {
    for (const { order } of orders) {
      this.market.removeAccount(getAccountId(order))
      if (order.spendingKeyId !== undefined) this.market.removeSpending(order.spendingKeyId)
      if (order.kind !== 'launch') this.market.removeToken(order.tokenId)
    }
  }

  /** Removes rows that a locked batch changed, including the rows of waiting orders that it filled. */
  forget({ accounts, pools, spendings }: BatchChanges): void {
    for (const id of accounts.keys()) this.market.removeAccount(id)
    for (const tokenId of pools.keys()) this.market.removeToken(tokenId)
    for (const keyId of spendings.keys()) this.market.removeSpending(keyId)
  }

  clear(): void {
    this.market.clear()
    this.#epoch++
  }
}
