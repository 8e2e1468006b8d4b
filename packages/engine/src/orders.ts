import type { Sol, Tokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { MarketEvent, Seal, Trade } from '@papermoon/contract/market-events'
import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import type { DomainError } from './errors.ts'
import type { WaitingTerms } from './waiting/waiting-order.ts'

/** A step of an order inside the engine. The times of a step are in ms of the monotonic clock. */
export interface OrderStep {
  readonly name: 'queue' | 'batch' | 'commit' | 'events' | 'pace'
  readonly startMs: number
  readonly endMs: number
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
}

/** Records an order's steps through the engine. Only sampled orders have a trace. */
export interface OrderTrace {
  /** Records a step. Does not throw. */
  record(step: OrderStep): void
}

export interface OrderBase {
  readonly userId: UserId
  /**
   * Id of the account that pays for the order. The default is the player's account in the fairground, whose id is the
   * player's id.
   */
  readonly accountId?: number | undefined
  /** Idempotency key, unique per player. The engine generates a key if the caller sends none. */
  readonly requestKey?: string | undefined
  /** Whether events mark the player as a bot (default: false). */
  readonly isBot?: boolean | undefined
  /** Id of the API key, if the key has a spending limit. The key's limit applies to the order. */
  readonly spendingKeyId?: number | undefined
  /** Whether the order waits while orders with normal priority wait (default: false). */
  readonly waitsForOthers?: boolean | undefined
  /** Error with which the engine rejects the order. This error does not apply if the order repeats an earlier order. */
  readonly refusal?: DomainError | undefined
  readonly trace?: OrderTrace | undefined
}

export interface BuyOrder extends OrderBase {
  readonly kind: 'buy'
  readonly tokenId: TokenId
  /** SOL to pay, including the fee. */
  readonly sol: Sol
  /** Min number of tokens that the buyer accepts. */
  readonly minTokensOut?: Tokens | undefined
}

export interface SellOrder extends OrderBase {
  readonly kind: 'sell'
  readonly tokenId: TokenId
  readonly tokens: Tokens
  /** Min SOL that the seller accepts, after the fee. */
  readonly minSolOut?: Sol | undefined
}

/** The texts of a token that its creator wrote: trimmed, in NFC and validated. */
export interface TokenDescription {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly description: string | null
  readonly website: string | null
  readonly x: string | null
  readonly telegram: string | null
}

/** How long a seal lasts. */
export type SealTerm = 'hour' | 'day' | 'week' | 'ever'

export interface SealRequest {
  readonly term: SealTerm
  /** Whether the seal includes the tokens that the creator holds at that time. */
  readonly bag: boolean
}

/** The fair that a token is launched in. */
export interface LaunchFair {
  readonly id: number
  /** Time at which the fair's tokens stop trading, in Unix ms. */
  readonly closesAtMs: number
  /** Max number of launches per player in the fair, and the error for further launches. */
  readonly bound?: { readonly max: number; readonly refusal: DomainError } | undefined
}

export interface LaunchOrder extends OrderBase {
  readonly kind: 'launch'
  readonly fair?: LaunchFair | undefined
  readonly token: TokenDescription
  /** SOL for the creator's first buy. The first buy runs in the same transaction as the launch. */
  readonly initialBuy?: Sol | undefined
  /** The seal that the token gets right after the launch. */
  readonly seal?: SealRequest | undefined
}

/** The creator takes the pool's real SOL and closes the pool for good. */
export interface RugOrder extends OrderBase {
  readonly kind: 'rug'
  readonly tokenId: TokenId
}

/** The creator promises not to rug the token until a certain time and, optionally, not to sell their own tokens. */
export interface SealOrder extends OrderBase, SealRequest {
  readonly kind: 'seal'
  readonly tokenId: TokenId
}

/** An order that waits for its price. A waiting order fills at once if the price is already reached. */
export interface PlaceOrder extends OrderBase {
  readonly kind: 'place'
  readonly tokenId: TokenId
  readonly terms: WaitingTerms
  /** Max time that the order waits, in ms. */
  readonly lastsMs: number
  /** Planned end of the order's fair in Unix ms. The order ends at this time at the latest. */
  readonly endsByMs?: number | undefined
  /** Id of the API key that places the order. Revoking the key cancels the order. */
  readonly keyId?: number | undefined
  /** Id of the player's waiting order to replace. */
  readonly replaces?: number | undefined
  /**
   * Number of the replaced order's fills that the player knows of. If there are more fills, the engine rejects the
   * order, because the player may want another amount.
   */
  readonly replacesFills?: number | undefined
}

/** An order that cancels waiting orders for one token. */
export interface CancelOrder extends OrderBase {
  readonly kind: 'cancel'
  readonly tokenId: TokenId
  readonly ids: readonly number[]
}

export type Order = BuyOrder | SellOrder | LaunchOrder | RugOrder | SealOrder | PlaceOrder | CancelOrder

/**
 * A player's balance and holding after an order, as exact decimal text. A repeated order returns the current balance
 * and holding.
 */
export interface PlayerPosition {
  /** SOL balance. */
  readonly balance: string
  /** Number of tokens that the player holds. */
  readonly amount: string
  /** Cost of those tokens in SOL, including fees. */
  readonly cost: string
}

interface ReceiptBase {
  /**
   * Present if the order repeats an earlier order with its key. For a repeat, the receipt is that of the earlier order.
   */
  readonly isRepeat?: true
}

export interface TradeReceipt extends ReceiptBase {
  readonly trade: Trade
  readonly position: PlayerPosition
}

export interface LaunchReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  readonly initialTrade: Trade | null
  /** The creator's SOL balance. */
  readonly balance: string
}

export interface RugReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** SOL that the creator took. */
  readonly ruggedAmount: string
  /** The creator's SOL balance. */
  readonly balance: string
}

export interface SealReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** The seal after the order. */
  readonly seal: Seal
}

export interface PlaceReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  readonly order: WaitingOrderView
  /** Trades that filled the order at once. */
  readonly trades: readonly Trade[]
}

export interface CancelReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** The cancelled orders. Orders that had already ended do not change. */
  readonly orders: readonly WaitingOrderView[]
}

export interface ReceiptByKind {
  readonly place: PlaceReceipt
  readonly cancel: CancelReceipt
  readonly buy: TradeReceipt
  readonly sell: TradeReceipt
  readonly launch: LaunchReceipt
  readonly rug: RugReceipt
  readonly seal: SealReceipt
}

/** The result that an order would have now. Ids that the database assigns are 0. */
export interface DryRun<K extends Order['kind'] = Order['kind']> {
  readonly receipt: ReceiptByKind[K]
  /** Events that the order would publish. A repeat would publish none. */
  readonly events: readonly MarketEvent[]
}

/**
 * The interface for all orders. `submit` resolves when the order is committed. `submit` rejects with a `DomainError`:
 * the rule that the order breaks, `BusyError` (not placed, can be sent again) or `OutcomeUnknownError` (possibly
 * placed, repeat the order with its key).
 */
export interface OrderEntry {
  submit<O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]>
  /**
   * Checks an order as `submit` would, without placing the order or using its key. Rejects with the `DomainError` that
   * would reject the order.
   */
  dryRun<O extends Order>(order: O): Promise<DryRun<O['kind']>>
  /**
   * Returns the kind of the player's unfinished order with this key, or null. Throws `BusyError` if the node that
   * processes the order does not respond.
   */
  findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null>
}
