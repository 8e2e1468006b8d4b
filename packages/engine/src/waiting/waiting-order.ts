import { buyBound, Decimal, type Price, saleBound } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'

export type WaitingState = 'waiting' | 'filled' | 'cancelled' | 'expired'
export type WaitingKind = 'buy' | 'sale' | 'stop' | 'bracket'

/** What an order that waits asks for. */
export interface WaitingTerms {
  readonly kind: WaitingKind
  /** SOL of a buy, tokens of the others. */
  readonly amount: Decimal
  /** Worst average price, fee included: of a buy, a sale, and a bracket's target. */
  readonly price: Price | null
  /** The spot price that triggers a stop, and a bracket's. */
  readonly stopPrice: Price | null
  /** Worst average of the sale that a stop triggers; null: any. */
  readonly leastPrice: Price | null
}

/** Who has an order, as far as a fill needs to know. */
export interface WaitingOwner {
  readonly userId: UserId
  readonly accountId: number
  readonly isBot: boolean
  readonly standing: 'active' | 'suspended' | 'frozen'
  /** The API key that placed it; null: none did. */
  readonly keyId: number | null
  readonly keyState: 'none' | 'revoked' | 'free' | 'limited'
}

/** A row of `waiting_orders` that still waits. */
export interface WaitingOrder extends WaitingTerms {
  readonly id: number
  readonly tokenId: TokenId
  readonly owner: WaitingOwner
  /** What is left of `amount`. */
  readonly left: Decimal
  /** A spot price of this or less reaches it. */
  readonly below: Price | null
  /** A spot price of this or more reaches it. */
  readonly above: Price | null
  /** Number of the cascade that filled it last. */
  readonly filledIn: number
  readonly fills: number
  /** Unix ms. */
  readonly placedAtMs: number
  readonly expiresAtMs: number
  readonly requestKey: string
  /** The order that this one took the place of. */
  readonly replaces: number | null
}

/** An order that waits, or did, as a batch leaves it. */
export interface WaitingChange {
  readonly order: WaitingOrder
  readonly state: WaitingState
  /** Code of what ended it where that was no fill. */
  readonly cause: string | null
  readonly endedAtMs: number | null
}

/** The triggers of an order that was just placed. */
export function toTriggers({ kind, price, stopPrice }: WaitingTerms): Pick<WaitingOrder, 'below' | 'above'> {
  if (kind === 'buy') return { below: price && buyBound(price), above: null }
  return { below: stopPrice, above: price && saleBound(price) }
}

/** A stop from the moment on in which its price is reached: a limit sale at its least price. */
export function triggerStop(order: WaitingOrder): WaitingOrder {
  const { leastPrice } = order
  return { ...order, below: null, above: leastPrice === null ? new Decimal(0) : saleBound(leastPrice) }
}

/** The idempotency key of a fill; no caller can have it, since theirs have no spaces. */
export function toFillKey({ id, fills }: Pick<WaitingOrder, 'id' | 'fills'>): string {
  return `order ${id} fill ${fills + 1}`
}
