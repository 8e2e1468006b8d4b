import { Decimal, type Pool, type Position, type Price, type Sol, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '../../../ids.ts'

/** A pool's row. Its `seq` is the number of every change there ever was of the pool and of the holdings of its token. */
export interface TokenPool {
  readonly tokenId: TokenId
  readonly pool: Pool
  /** SOL paid to the treasury so far. */
  readonly fees: Sol
  readonly price: Price
  readonly seq: number
  readonly lastEventAtMs: number
  /** Hash of the last journal entry, or of the launch: 64 hexadecimal digits. */
  readonly chainHead: string
  /** An operator hides the token: it can only be sold. */
  readonly isHidden: boolean
}

/** A player's account row. */
export interface Account {
  readonly userId: UserId
  readonly username: string
  readonly balance: Sol
  /** The same as text: it is needed again and again. */
  readonly balanceText: string
}

/** An account with another balance. */
export function withBalance(account: Pick<Account, 'userId' | 'username'>, balance: Sol): Account {
  return { userId: account.userId, username: account.username, balance, balanceText: solText(balance) }
}

/** A holding's row, or that there is none yet. */
export interface Holding {
  readonly position: Position
  readonly isRow: boolean
}

const NO_POSITION: Position = { amount: new Decimal(0), cost: new Decimal(0) }
/** Of a player who never held a token. */
export const NO_HOLDING: Holding = { position: NO_POSITION, isRow: false }

/** Rows as the engine last knew them. Orders are applied to it one after another. */
export class Market {
  readonly accounts = new Map<UserId, Account>()
  readonly #tokens = new Map<TokenId, { pool: TokenPool; readonly holdings: Map<UserId, Holding> }>()
  #holdings = 0

  /** How many rows are known. */
  get size(): number {
    return this.accounts.size + this.#tokens.size + this.#holdings
  }

  pool(tokenId: TokenId): TokenPool | undefined {
    return this.#tokens.get(tokenId)?.pool
  }

  setPool(pool: TokenPool): void {
    const token = this.#tokens.get(pool.tokenId)
    if (token === undefined) this.#tokens.set(pool.tokenId, { pool, holdings: new Map() })
    else token.pool = pool
  }

  /** Undefined for a holding that nobody has read. */
  holding(tokenId: TokenId, userId: UserId): Holding | undefined {
    return this.#tokens.get(tokenId)?.holdings.get(userId)
  }

  positionOf(tokenId: TokenId, userId: UserId): Position {
    return this.holding(tokenId, userId)?.position ?? NO_POSITION
  }

  /** After the token's pool: what a holding is belongs to a `seq`. */
  setHolding(tokenId: TokenId, userId: UserId, holding: Holding): void {
    const holdings = this.#tokens.get(tokenId)?.holdings
    if (holdings === undefined) throw new Error(`no pool of token ${tokenId}`)
    if (!holdings.has(userId)) this.#holdings++
    holdings.set(userId, holding)
  }

  /** The pool with all holdings of its token. */
  forgetToken(tokenId: TokenId): void {
    this.#holdings -= this.#tokens.get(tokenId)?.holdings.size ?? 0
    this.#tokens.delete(tokenId)
  }

  clear(): void {
    this.accounts.clear()
    this.#tokens.clear()
    this.#holdings = 0
  }
}
