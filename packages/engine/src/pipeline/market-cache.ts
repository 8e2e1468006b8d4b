import { Market } from '../batch/market.ts'
import type { PendingOrder } from '../pending-order.ts'

const BYTES_MAX = 100_000_000

/**
 * The market as this process left it, so that the next batch need not read it again. Nothing in it is authoritative: other
 * nodes write, too. A batch that rests on it is written on condition that each row is still so, and where one is not,
 * all of this is forgotten.
 */
export class MarketCache {
  readonly market = new Market()
  #epoch = 0

  /** Another one since everything was forgotten: what was applied before rests on nothing. */
  get epoch(): number {
    return this.#epoch
  }

  get isFull(): boolean {
    return this.market.bytes >= BYTES_MAX
  }

  /** What these orders may have changed. */
  invalidate(orders: readonly PendingOrder[]): void {
    for (const { order } of orders) {
      this.market.removeAccount(order.userId)
      if (order.kind !== 'launch') this.market.removeToken(order.tokenId)
    }
  }

  clear(): void {
    this.market.clear()
    this.#epoch++
  }
}
