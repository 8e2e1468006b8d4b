import type { Sol, Tokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { MarketEvent, Seal, Trade } from '@papermoon/contract/market-events'
import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import type { DomainError } from './errors.ts'
import type { OrderTrace } from './order-trace.ts'
import type { WaitingTerms } from './waiting/waiting-order.ts'

interface OrderBase {
  readonly userId: UserId
  /** Account that the order spends from. Default: the player's in the fairground, which has the player's id. */
  readonly accountId?: number | undefined
  /** Idempotency key, unique per player. The engine generates one if it is absent. */
  readonly requestKey?: string | undefined
  /** Whether the player is a bot, for the events. Default: false. */
  readonly isBot?: boolean | undefined
  /** Id of the API key whose spending limit the order counts against; only for a key with a limit. */
  readonly spendingKeyId?: number | undefined
  /** Low priority: waits while other orders wait. Default: false. */
  readonly waitsForOthers?: boolean | undefined
  /** Refuses the order with this error, unless it repeats one that was placed. */
  readonly refusal?: DomainError | undefined
  readonly trace?: OrderTrace | undefined
}

export interface BuyOrder extends OrderBase {
  readonly kind: 'buy'
  readonly tokenId: TokenId
  /** SOL to pay, with the fee. */
  readonly sol: Sol
  /** Min tokens to accept. */
  readonly minTokensOut?: Tokens | undefined
}

export interface SellOrder extends OrderBase {
  readonly kind: 'sell'
  readonly tokenId: TokenId
  readonly tokens: Tokens
  /** Min SOL to accept, after the fee. */
  readonly minSolOut?: Sol | undefined
}

/** Texts a creator gives a token: trimmed, in NFC and validated. */
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

export interface SealWish {
  readonly term: SealTerm
  /** Whether the tokens that the creator holds then are sealed, too. */
  readonly bag: boolean
}

/** The fair that a token is launched in. */
export interface LaunchFair {
  readonly id: number
  /** Unix ms at which its tokens stop trading. */
  readonly closesAtMs: number
  /** Max launches of a player in the fair, and the error for one more. */
  readonly bound?: { readonly max: number; readonly refusal: DomainError } | undefined
}

export interface LaunchOrder extends OrderBase {
  readonly kind: 'launch'
  readonly fair?: LaunchFair | undefined
  readonly token: TokenDescription
  /** SOL for the creator's first buy, in the same transaction. */
  readonly initialBuy?: Sol | undefined
  /** Seals the token right after the launch. */
  readonly seal?: SealWish | undefined
}

/** The creator drains the pool's real SOL and closes the pool for good. */
export interface RugOrder extends OrderBase {
  readonly kind: 'rug'
  readonly tokenId: TokenId
}

/** The creator promises not to rug the token until a time and, if wished, to keep their tokens of it. */
export interface SealOrder extends OrderBase, SealWish {
  readonly kind: 'seal'
  readonly tokenId: TokenId
}

/** An order that waits for its price. It fills at once if that is reached already. */
export interface PlaceOrder extends OrderBase {
  readonly kind: 'place'
  readonly tokenId: TokenId
  readonly terms: WaitingTerms
  /** Max time that it waits, in ms. */
  readonly lastsMs: number
  /** Planned end of its fair in Unix ms, when it ends at the latest. */
  readonly endsByMs?: number | undefined
  /** API key that places it. Revoking the key cancels the order. */
  readonly keyId?: number | undefined
  /** Id of the player's waiting order to replace. */
  readonly replaces?: number | undefined
  /** Number of its fills that the player knows of. If there are more, its amount is not what they meant. */
  readonly replacesFills?: number | undefined
}

/** Cancels waiting orders of one token. */
export interface CancelOrder extends OrderBase {
  readonly kind: 'cancel'
  readonly tokenId: TokenId
  readonly ids: readonly number[]
}

export type Order = BuyOrder | SellOrder | LaunchOrder | RugOrder | SealOrder | PlaceOrder | CancelOrder

export function getAccountId({ accountId, userId }: Pick<OrderBase, 'accountId' | 'userId'>): number {
  return accountId ?? userId
}

/** A player's balance and holding after an order; for a repeat, the current ones. Exact decimals as text. */
export interface PlayerPosition {
  /** SOL balance. */
  readonly balance: string
  /** Tokens held of the ordered token. */
  readonly amount: string
  /** Cost of those tokens in SOL, with fees. */
  readonly cost: string
}

interface ReceiptBase {
  /** Set if the order repeats an earlier one with its key. Then this is that order's receipt. */
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
  /** SOL drained. */
  readonly ruggedAmount: string
  /** The creator's SOL balance. */
  readonly balance: string
}

export interface SealReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** The seal from now on. */
  readonly seal: Seal
}

export interface PlaceReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  readonly order: WaitingOrderView
  /** Trades made at once. */
  readonly trades: readonly Trade[]
}

export interface CancelReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** Orders that had ended before are returned unchanged. */
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

/** What an order would do now. Ids that the database would assign are 0. */
export interface DryRun<K extends Order['kind'] = Order['kind']> {
  readonly receipt: ReceiptByKind[K]
  /** Events that would be published; empty for a repeat. */
  readonly events: readonly MarketEvent[]
}

/**
 * Entry point for all orders. `submit` resolves once the order is committed. It rejects with a `DomainError`: the rule that
 * the order breaks, `BusyError` (not placed, can be sent again) or `OutcomeUnknownError` (possibly placed, repeat it with
 * its key).
 */
export interface OrderEntry {
  submit<O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]>
  /**
   * Checks an order as `submit` would now, without placing it or using its key. Rejects with the `DomainError` that would
   * refuse it.
   */
  dryRun<O extends Order>(order: O): Promise<DryRun<O['kind']>>
  /**
   * Returns the kind of the player's unanswered order with this key, or null. Throws `BusyError` if the node that processes
   * it does not answer.
   */
  findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null>
}
