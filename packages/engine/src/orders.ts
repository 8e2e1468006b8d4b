import type { Sol, Tokens } from '@papermoon/amm'
import type { DomainError } from './errors.ts'
import type { TokenId, UserId } from './ids.ts'
import type { Trade } from './market-events.ts'

/** What all orders carry: who asks, and the key under which a repeat is recognised. */
interface OrderBase {
  readonly userId: UserId
  /** Idempotency key, unique per player; the engine makes one where it is absent. */
  readonly requestKey?: string | undefined
  /** What the order is refused with, unless it repeats one that was done before. */
  readonly refusal?: DomainError | undefined
}

export interface BuyOrder extends OrderBase {
  readonly kind: 'buy'
  readonly tokenId: TokenId
  /** SOL to pay, fee included. */
  readonly sol: Sol
  /** The least tokens to accept. */
  readonly minTokensOut?: Tokens | undefined
}

export interface SellOrder extends OrderBase {
  readonly kind: 'sell'
  readonly tokenId: TokenId
  readonly tokens: Tokens
  /** The least SOL to accept, after the fee. */
  readonly minSolOut?: Sol | undefined
}

/** How a token describes itself; texts are trimmed, NFC and checked. */
export interface TokenDescription {
  readonly name: string
  readonly symbol: string
  readonly emoji: string
  readonly description: string | null
  readonly website: string | null
  readonly x: string | null
  readonly telegram: string | null
}

export interface LaunchOrder extends OrderBase {
  readonly kind: 'launch'
  readonly token: TokenDescription
  /** SOL of the creator's first buy, in the same transaction as the launch; absent for none. */
  readonly initialBuy?: Sol | undefined
}

/** The creator drains the real SOL of their token's pool and closes it for good. */
export interface RugOrder extends OrderBase {
  readonly kind: 'rug'
  readonly tokenId: TokenId
}

export type Order = BuyOrder | SellOrder | LaunchOrder | RugOrder

/** What a player has after an order; as it stands now when the order is a repeat. Exact decimal texts. */
export interface PlayerPosition {
  /** SOL. */
  readonly balance: string
  /** Tokens held of the ordered token. */
  readonly amount: string
  /** What those cost, in SOL, fees included. */
  readonly cost: string
}

/** The durable answer to a buy or sell. */
export interface TradeReceipt {
  readonly trade: Trade
  readonly position: PlayerPosition
}

/** The durable answer to a launch. */
export interface LaunchReceipt {
  readonly tokenId: TokenId
  readonly initialTrade: Trade | null
  /** SOL the creator has now. */
  readonly balance: string
}

/** The durable answer to a rug pull. */
export interface RugReceipt {
  readonly tokenId: TokenId
  /** SOL drained. */
  readonly ruggedAmount: string
  /** SOL the creator has now. */
  readonly balance: string
}

export interface ReceiptOf {
  readonly buy: TradeReceipt
  readonly sell: TradeReceipt
  readonly launch: LaunchReceipt
  readonly rug: RugReceipt
}

/**
 * Single entry point for all orders, whatever their transport.
 *
 * `submit` resolves after the order is committed. It rejects with a `DomainError`: the rule that the order breaks,
 * `BusyError` (not done, may be submitted again) or `OutcomeUnknownError` (may be done, repeat it with its key).
 */
export interface OrderEntry {
  submit<O extends Order>(order: O): Promise<ReceiptOf[O['kind']]>
}
