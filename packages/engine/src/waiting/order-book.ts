import type { Price } from '@papermoon/amm'

/** Summary of a token's waiting orders, which is a part of the pool's row. */
export interface OrderBook {
  /** Number of changes to the other fields, which is their version, because they do not change `seq`. */
  readonly version: number
  /** A price at or below this value triggers an order, or null if there is no such order. */
  readonly below: Price | null
  /** A price at or above this value triggers an order, or null if there is no such order. */
  readonly above: Price | null
  /** Number of the last cascade. */
  readonly cascade: number
  /** The running cascade, or null if there is none. */
  readonly running: RunningCascade | null
}

/** A running cascade. A cascade is the series of fills after a trade that reached waiting orders. */
export interface RunningCascade {
  /** Price before the trade that started the cascade. */
  readonly from: Price
  /** Lowest price since the start. This price triggers stops even if the price has risen since then. */
  readonly low: Price
  /** Number of batches of the cascade so far. A batch of more than `STEPS_BESIDE` steps counts twice. */
  readonly batches: number
}

export const NO_BOOK: OrderBook = { version: 0, below: null, above: null, cascade: 0, running: null }

/** Max number of cascade steps per token and batch. */
export const STEPS_MAX = 64
/** Max number of cascade steps while orders for other tokens wait. */
export const STEPS_BESIDE = 32
/**
 * Number of batches after which the token's new orders take turns with its cascade: ten batches of 64 steps, or twenty
 * of 32.
 */
export const ALONE_MAX = 20

/** Returns the order book with the triggers of a new or changed order. */
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
