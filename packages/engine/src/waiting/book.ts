import type { Price } from '@papermoon/amm'

/** What a pool's row says of the orders that wait for its token. */
export interface Book {
  /** Counts the changes of all the rest: the version of this state, which `seq` does not count. */
  readonly version: number
  /** A price of this or less reaches an order; null: none waits. */
  readonly below: Price | null
  /** A price of this or more reaches an order; null: none waits. */
  readonly above: Price | null
  /** Number of the last cascade. */
  readonly cascade: number
  /** The cascade under way; null: none is. */
  readonly running: RunningCascade | null
}

/** What follows a trade that reached orders, until the price reaches none. */
export interface RunningCascade {
  /** Price before the trade. */
  readonly from: Price
  /** The lowest price since: it triggers stops, whatever the price is now. */
  readonly low: Price
  /** Batches that it took before this one; one of more than `STEPS_BESIDE` steps counts twice. */
  readonly batches: number
}

export const NO_BOOK: Book = { version: 0, below: null, above: null, cascade: 0, running: null }

/** Steps of a token's cascade in one batch. */
export const STEPS_MAX = 64
/** The same while orders of other tokens wait for their turn. */
export const STEPS_BESIDE = 32
/** After so many batches, new orders of the token take turns with its cascade: ten of 64 steps, or twenty of 32. */
export const ALONE_MAX = 20

/** Whether a price reaches an order that waits, or may. A closed pool has the price 0 and reaches none. */
export function isReached({ price, book: { below, above } }: { readonly price: Price; readonly book: Book }): boolean {
  if (price.isZero()) return false
  return (below !== null && price.lte(below)) || (above !== null && price.gte(above))
}

/** The book with the triggers of an order that begins to wait, or waits for something else now. */
export function withTriggers(book: Book, order: { readonly below: Price | null; readonly above: Price | null }): Book {
  const below = isNearer(order.below, book.below, 'down') ? order.below : book.below
  const above = isNearer(order.above, book.above, 'up') ? order.above : book.above
  return below === book.below && above === book.above ? book : { ...book, below, above }
}

function isNearer(added: Price | null, known: Price | null, way: 'up' | 'down'): boolean {
  if (added === null || known === null) return added !== null
  return way === 'down' ? added.gt(known) : added.lt(known)
}
