import { buyBound, Decimal, type Price, saleBound } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'

export type WaitingState = 'waiting' | 'filled' | 'cancelled' | 'expired'
export type WaitingKind = 'buy' | 'sale' | 'stop' | 'bracket'

/** Terms of a waiting order. */
export interface WaitingTerms {
  readonly kind: WaitingKind
  /** Buy: SOL. Others: tokens. */
  readonly amount: Decimal
  /** Worst average price with the fee, of a buy, a sale or a bracket's target. */
  readonly price: Price | null
  /** Spot price that triggers a stop or a bracket's stop. */
  readonly stopPrice: Price | null
  /** Worst average price of a triggered stop's sale; null: any. */
  readonly leastPrice: Price | null
}

/** What a fill needs to know about an order's player. */
export interface WaitingOwner {
  readonly userId: UserId
  readonly accountId: number
  readonly isBot: boolean
  readonly standing: 'active' | 'suspended' | 'frozen'
  /** Id of the API key that placed it; null if none did. */
  readonly keyId: number | null
  readonly keyState: 'none' | 'revoked' | 'free' | 'limited'
}

/** A row of `waiting_orders` that still waits. */
export interface WaitingOrder extends WaitingTerms {
  readonly id: number
  readonly tokenId: TokenId
  readonly owner: WaitingOwner
  /** Unfilled part of `amount`. */
  readonly left: Decimal
  /** A spot price at or below this triggers it. */
  readonly below: Price | null
  /** A spot price at or above this triggers it. */
  readonly above: Price | null
  /** Number of the cascade that filled it last. */
  readonly filledIn: number
  readonly fills: number
  /** Unix ms. */
  readonly placedAtMs: number
  readonly expiresAtMs: number
  readonly requestKey: string
  /** Id of the order that it replaced. */
  readonly replaces: number | null
}

/** A waiting or ended order, as a batch leaves it. */
export interface WaitingChange {
  readonly order: WaitingOrder
  readonly state: WaitingState
  /** Code of what ended it; null if a fill did. */
  readonly cause: string | null
  readonly endedAtMs: number | null
}

/** The triggers of a new order. */
export function toTriggers({ kind, price, stopPrice }: WaitingTerms): Pick<WaitingOrder, 'below' | 'above'> {
  if (kind === 'buy') return { below: price && buyBound(price), above: null }
  return { below: stopPrice, above: price && saleBound(price) }
}

/** Converts a triggered stop to a limit sale at its least price. */
export function triggerStop(order: WaitingOrder): WaitingOrder {
  const { leastPrice } = order
  return { ...order, below: null, above: leastPrice === null ? new Decimal(0) : saleBound(leastPrice) }
}

/** The idempotency key of a fill. Callers' keys have no spaces, so it is never theirs. */
export function toFillKey({ id, fills }: Pick<WaitingOrder, 'id' | 'fills'>): string {
  return `order ${id} fill ${fills + 1}`
}
