import type { Sol, Tokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { MarketEvent, Seal, Trade } from '@papermoon/contract/market-events'
import type { WaitingOrderView } from '@papermoon/contract/waiting-orders'
import type { DomainError } from './errors.ts'
import type { OrderTrace } from './order-trace.ts'
import type { WaitingTerms } from './waiting/waiting-order.ts'

interface OrderBase {
  readonly userId: UserId
  /** The account that the order spends; default: the player's in the fairground, which has the player's id. */
  readonly accountId?: number | undefined
  /** Idempotency key, unique per player. The engine generates one if it is absent. */
  readonly requestKey?: string | undefined
  /** Whether the player is a bot, for the events; default: no. */
  readonly isBot?: boolean | undefined
  /** Id of the API key whose spending limit the order counts against; only for a key with a limit. */
  readonly spendingKeyId?: number | undefined
  /** Waits until nobody's other orders wait; default: no. */
  readonly waitsForOthers?: boolean | undefined
  /** Refuses the order with this error unless it repeats an executed one. */
  readonly refusal?: DomainError | undefined
  /** Follows the order, if it is sampled. Not part of what is ordered. */
  readonly trace?: OrderTrace | undefined
}

export interface BuyOrder extends OrderBase {
  readonly kind: 'buy'
  readonly tokenId: TokenId
  /** SOL to pay, fee included. */
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

/** How long a seal lasts from its moment on. */
export type SealTerm = 'hour' | 'day' | 'week' | 'ever'

export interface SealWish {
  readonly term: SealTerm
  /** Whether the tokens that the creator holds at that moment are sealed too. */
  readonly bag: boolean
}

/** The fair of a launch outside the fairground. */
export interface LaunchFair {
  readonly id: number
  /** Unix ms: when its tokens can no longer be traded. */
  readonly closesAtMs: number
  /** How many tokens a player may launch in it, and what refuses one more. */
  readonly bound?: { readonly max: number; readonly refusal: DomainError } | undefined
}

export interface LaunchOrder extends OrderBase {
  readonly kind: 'launch'
  readonly fair?: LaunchFair | undefined
  readonly token: TokenDescription
  /** SOL for the creator's first buy, in the same transaction as the launch. */
  readonly initialBuy?: Sol | undefined
  /** Seals the token right after that. */
  readonly seal?: SealWish | undefined
}

/** The creator drains the real SOL of their token's pool and closes it permanently. */
export interface RugOrder extends OrderBase {
  readonly kind: 'rug'
  readonly tokenId: TokenId
}

/** The creator promises not to rug their token, and to keep their tokens of it, until a time. */
export interface SealOrder extends OrderBase, SealWish {
  readonly kind: 'seal'
  readonly tokenId: TokenId
}

/** An order that waits for its price, or is filled at once where that is reached. */
export interface PlaceOrder extends OrderBase {
  readonly kind: 'place'
  readonly tokenId: TokenId
  readonly terms: WaitingTerms
  /** How long it waits at most. */
  readonly lastsMs: number
  /** Unix ms of the planned end of its fair; it ends then at the latest. */
  readonly endsByMs?: number | undefined
  /** API key that places it: revoking it cancels the order. */
  readonly keyId?: number | undefined
  /** The player's waiting order that it takes the place of. */
  readonly replaces?: number | undefined
  /** That one's fills as its player saw them: with more by now, its amount is not what they meant. */
  readonly replacesFills?: number | undefined
}

/** Ends waiting orders of one token. */
export interface CancelOrder extends OrderBase {
  readonly kind: 'cancel'
  readonly tokenId: TokenId
  readonly ids: readonly number[]
}

export type Order = BuyOrder | SellOrder | LaunchOrder | RugOrder | SealOrder | PlaceOrder | CancelOrder

export function getAccountId({ accountId, userId }: Pick<OrderBase, 'accountId' | 'userId'>): number {
  return accountId ?? userId
}

/** A player's balance and holding after an order; the current ones if the order is a repeat. Exact decimals as text. */
export interface PlayerPosition {
  /** SOL. */
  readonly balance: string
  /** Tokens held of the ordered token. */
  readonly amount: string
  /** Cost of those tokens in SOL, fees included. */
  readonly cost: string
}

interface ReceiptBase {
  /** Set if the order repeats an earlier one with its key: the receipt is that one's. */
  readonly isRepeat?: true
}

export interface TradeReceipt extends ReceiptBase {
  readonly trade: Trade
  readonly position: PlayerPosition
}

export interface LaunchReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  readonly initialTrade: Trade | null
  /** SOL the creator has now. */
  readonly balance: string
}

export interface RugReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** SOL drained. */
  readonly ruggedAmount: string
  /** SOL the creator has now. */
  readonly balance: string
}

export interface SealReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** What is sealed from then on. */
  readonly seal: Seal
}

export interface PlaceReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  readonly order: WaitingOrderView
  /** What it made at once. */
  readonly trades: readonly Trade[]
}

export interface CancelReceipt extends ReceiptBase {
  readonly tokenId: TokenId
  /** Those that had ended before are as they ended. */
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

/** Result of an order if it ran now. Ids that the database would assign are 0. */
export interface DryRun<K extends Order['kind'] = Order['kind']> {
  readonly receipt: ReceiptByKind[K]
  /** Events that would be published; empty for a repeat. */
  readonly events: readonly MarketEvent[]
}

/**
 * Single entry point for all orders, whatever their transport.
 *
 * `submit` resolves after the order is committed. It rejects with a `DomainError`: the rule that the order breaks,
 * `BusyError` (not done, may be submitted again) or `OutcomeUnknownError` (may be done, repeat it with its key).
 */
export interface OrderEntry {
  submit<O extends Order>(order: O): Promise<ReceiptByKind[O['kind']]>
  /**
   * Checks an order by every rule of `submit`, at this moment, without placing it and without using up its key. Rejects with the
   * `DomainError` that would refuse it.
   */
  dryRun<O extends Order>(order: O): Promise<DryRun<O['kind']>>
  /**
   * The kind of the player's order with this key that is not answered yet; null if there is none. Throws `BusyError` where the node
   * that knows does not answer.
   */
  findPending(userId: UserId, requestKey: string): Promise<Order['kind'] | null>
}
