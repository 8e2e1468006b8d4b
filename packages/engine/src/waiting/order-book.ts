import type { Price } from '@papermoon/amm'

/** Summary of a token's waiting orders in its pool's row. */
export interface OrderBook {
  /** Number of changes of the other fields. It is their version, since they do not change `seq`. */
  readonly version: number
  /** A price at or below this triggers an order; null if none waits. */
  readonly below: Price | null
  /** A price at or above this triggers an order; null if none waits. */
  readonly above: Price | null
  /** Number of the last cascade. */
  readonly cascade: number
  /** The cascade under way; null if there is none. */
  readonly running: RunningCascade | null
}

/** Fills that follow a trade which reached waiting orders, until the price reaches none. */
export interface RunningCascade {
  /** Price before the trade. */
  readonly from: Price
  /** The lowest price since. It triggers stops, whatever the price is now. */
  readonly low: Price
  /** Number of batches it took before this one. One of more than `STEPS_BESIDE` steps counts twice. */
  readonly batches: number
}

export const NO_BOOK: OrderBook = { version: 0, below: null, above: null, cascade: 0, running: null }

/** Max steps of a token's cascade per batch. */
export const STEPS_MAX = 64
/** Max steps while orders of other tokens wait. */
export const STEPS_BESIDE = 32
/** Number of batches after which new orders of the token take turns with its cascade: ten of 64 steps, or twenty of 32. */
export const ALONE_MAX = 20

/** Whether a price may have reached a waiting order. A closed pool has the price 0 and reaches none. */
export function isReached({
  price,
  book: { below, above },
}: {
  readonly price: Price
  readonly book: OrderBook
}): boolean {
  if (price.isZero()) return false
  return (below !== null && price.lte(below)) || (above !== null && price.gte(above))
}

/** The book with the triggers of a new or changed order. */
export function withTriggers(
  book: OrderBook,
  order: { readonly below: Price | null; readonly above: Price | null },
): OrderBook {
  const below = isNearer(order.below, book.below, 'down') ? order.below : book.below
  const above = isNearer(order.above, book.above, 'up') ? order.above : book.above
  return below === book.below && above === book.above ? book : { ...book, below, above }
}

function isNearer(added: Price | null, known: Price | null, way: 'up' | 'down'): boolean {
  if (added === null || known === null) return added !== null
  return way === 'down' ? added.gt(known) : added.lt(known)
}
