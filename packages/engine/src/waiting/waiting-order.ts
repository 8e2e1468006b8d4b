import { buyBound, Decimal, type Price, saleBound } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import { formatTime } from '../clock.ts'

type WaitingState = 'waiting' | 'filled' | 'cancelled' | 'expired'
type WaitingKind = 'buy' | 'sale' | 'stop' | 'bracket'

/** The terms of a waiting order. */
export interface WaitingTerms {
  readonly kind: WaitingKind
  /** Amount in SOL for a buy, or in tokens for the other kinds. */
  readonly amount: Decimal
  /**
   * Limit price. The limit price is the worst average price, including the fee, of a buy, a sale or a bracket's target.
   */
  readonly price: Price | null
  /** Spot price that triggers a stop or a bracket's stop. */
  readonly stopPrice: Price | null
  /** Worst average price for the sale after a stop was triggered, or null for any price. */
  readonly leastPrice: Price | null
}

/** Data about an order's player that a fill needs. */
interface WaitingOwner {
  readonly userId: UserId
  readonly accountId: number
  readonly isBot: boolean
  readonly standing: 'active' | 'suspended' | 'frozen'
  /** Id of the API key that placed the order, or null if no key was used. */
  readonly keyId: number | null
  readonly keyState: 'none' | 'revoked' | 'free' | 'limited'
}

/** A row of `waiting_orders` that still waits. */
export interface WaitingOrder extends WaitingTerms {
  readonly id: number
  readonly tokenId: TokenId
  readonly owner: WaitingOwner
  /** The part of `amount` that is not filled. */
  readonly left: Decimal
  /** A spot price at or below this value triggers the order. */
  readonly below: Price | null
  /** A spot price at or above this value triggers the order. */
  readonly above: Price | null
  /** Number of the cascade that filled the order last. */
  readonly filledIn: number
  readonly fills: number
  /** Time of placing in Unix ms. */
  readonly placedAtMs: number
  readonly expiresAtMs: number
  readonly requestKey: string
  /** Id of the order that this order replaced. */
  readonly replaces: number | null
}

/** A waiting or ended order after a batch. */
export interface WaitingChange {
  readonly order: WaitingOrder
  readonly state: WaitingState
  /** Code of the reason why the order ended, or null if a fill ended it. */
  readonly cause: string | null
  readonly endedAtMs: number | null
}

/** Returns a new order's triggers. */
export function toTriggers({ kind, price, stopPrice }: WaitingTerms): Pick<WaitingOrder, 'below' | 'above'> {
  if (kind === 'buy') return { below: price && buyBound(price), above: null }
  return { below: stopPrice, above: price && saleBound(price) }
}

/** Converts a triggered stop to a limit sale at its minimum price. */
export function triggerStop(order: WaitingOrder): WaitingOrder {
  const { leastPrice } = order
  return { ...order, below: null, above: leastPrice === null ? new Decimal(0) : saleBound(leastPrice) }
}

/** Returns the idempotency key of a fill. A fill's key contains spaces, so it never equals a caller's key. */
export function toFillKey({ id, fills }: Pick<WaitingOrder, 'id' | 'fills'>): string {
  return `order ${id} fill ${fills + 1}`
}

/** Converts an order to the object that its player gets. */
export function toWaitingView({ order, state, cause, endedAtMs }: WaitingChange): WaitingOrderView {
  const { id, tokenId, kind, fills, replaces } = order
  const hasStop = kind === 'stop' || kind === 'bracket'
  return {
    id,
    tokenId,
    kind,
    // The amount is null if the order ended without a fill over 30 days ago, because the terms of such orders are
    // deleted.
    amount: order.amount.isZero() ? null : order.amount.toFixed(),
    left: order.left.toFixed(),
    price: order.price?.toFixed() ?? null,
    stopPrice: order.stopPrice?.toFixed() ?? null,
    leastPrice: order.leastPrice?.toFixed() ?? null,
    below: order.below?.toFixed() ?? null,
    above: order.above?.toFixed() ?? null,
    isTriggered: hasStop && order.below === null,
    fills,
    state,
    cause,
    key: order.requestKey,
    replaces,
    placedAt: formatTime(order.placedAtMs),
    expiresAt: formatTime(order.expiresAtMs),
    endedAt: endedAtMs === null ? null : formatTime(endedAtMs),
  }
}

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
