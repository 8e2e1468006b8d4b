import { Decimal, type Pool, type Position, type Price, type Sol } from '@papermoon/amm'
import type { Trade } from '../../../events/event.ts'
import type { TokenId, UserId } from '../../../ids.ts'

/** A pool's row, locked by the batch. */
export interface LockedPool {
  readonly tokenId: TokenId
  readonly pool: Pool
  /** SOL paid to the treasury so far. */
  readonly fees: Sol
  readonly price: Price
  readonly seq: number
  readonly lastEventAtMs: number
  /** Hash of the last journal entry, or of the launch: 64 hexadecimal digits. */
  readonly chainHead: string
}

/** A player's account row, locked by the batch. */
export interface LockedAccount {
  readonly userId: UserId
  readonly username: string
  readonly balance: Sol
  readonly realizedPnl: Sol
}

/** What an earlier order with the same key was answered. */
export type PriorAnswer = { readonly fingerprint: string } & (
  | { readonly kind: 'trade'; readonly trade: Trade }
  | { readonly kind: 'launch'; readonly tokenId: TokenId; readonly initialTrade: Trade | null }
  | { readonly kind: 'rug'; readonly tokenId: TokenId; readonly ruggedAmount: string }
)

const NO_POSITION: Position = { amount: new Decimal(0), cost: new Decimal(0) }

/**
 * The rows that a batch has locked and read. Orders are applied to it one after another; it lives
 * as long as the batch's transaction, so nothing here is ever stale.
 */
export class LockedMarket {
  readonly pools = new Map<TokenId, LockedPool>()
  readonly accounts = new Map<UserId, LockedAccount>()
  /** Who launched the tokens that this batch is asked to rug. */
  readonly creators = new Map<TokenId, UserId>()
  /** Tokens that an operator hides: they can only be sold. */
  readonly hidden = new Set<TokenId>()
  /** Tokens and players that exist but were locked by somebody else for too long. */
  readonly unavailable = { pools: new Set<TokenId>(), accounts: new Set<UserId>() }
  readonly #positions = new Map<string, { tokenId: TokenId; userId: UserId; position: Position }>()
  readonly #priorAnswers = new Map<string, PriorAnswer>()

  positionOf(tokenId: TokenId, userId: UserId): Position {
    return this.#positions.get(`${tokenId}:${userId}`)?.position ?? NO_POSITION
  }

  setPosition(tokenId: TokenId, userId: UserId, position: Position): void {
    this.#positions.set(`${tokenId}:${userId}`, { tokenId, userId, position })
  }

  priorAnswer(userId: UserId, requestKey: string): PriorAnswer | null {
    return this.#priorAnswers.get(`${userId}:${requestKey}`) ?? null
  }

  setPriorAnswer(userId: UserId, requestKey: string, answer: PriorAnswer): void {
    this.#priorAnswers.set(`${userId}:${requestKey}`, answer)
  }
}
