import { Decimal, type Pool, type Position, type Price, type Sol, solText } from '@papermoon/amm'
import type { TokenId, UserId } from '../ids.ts'

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

/** A holding's row, or that there is none yet. As texts: there are many of them, and numbers are larger. */
export interface Holding {
  readonly amount: string
  readonly cost: string
  readonly isRow: boolean
}

/** Of a player who never held a token. */
export const NO_HOLDING: Holding = { amount: '0', cost: '0', isRow: false }
export const NO_POSITION: Position = { amount: new Decimal(0), cost: new Decimal(0) }

/** What each takes in memory, about: `heldSet` what a player holds, and `held` each token in it. */
const BYTES = { account: 400, pool: 1_600, holding: 250, heldSet: 350, held: 32 }

/** Rows as the engine last knew them. Orders are applied to it one after another. */
export class Market {
  readonly #accounts = new Map<UserId, Account>()
  /** The tokens of which a player has a holding's row, for players of whom all of them are known. */
  readonly #held = new Map<UserId, Set<TokenId>>()
  readonly #tokens = new Map<TokenId, { pool: TokenPool; readonly holdings: Map<UserId, Holding> }>()
  #holdings = 0
  #heldTokens = 0

  /** About how much memory all of it takes. */
  get bytes(): number {
    return (
      this.#accounts.size * BYTES.account +
      this.#tokens.size * BYTES.pool +
      this.#holdings * BYTES.holding +
      this.#held.size * BYTES.heldSet +
      this.#heldTokens * BYTES.held
    )
  }

  account(userId: UserId): Account | undefined {
    return this.#accounts.get(userId)
  }

  setAccount(account: Account): void {
    this.#accounts.set(account.userId, account)
  }

  /** Every token of which the player has a holding's row, read with the account: like it, it is vouched for by the balance. */
  setHeld(userId: UserId, tokenIds: readonly TokenId[]): void {
    this.#removeHeld(userId)
    this.#held.set(userId, new Set(tokenIds))
    this.#heldTokens += tokenIds.length
  }

  /** Whether it is known, without its row, that the player never held the token. */
  neverHeld(userId: UserId, tokenId: TokenId): boolean {
    return this.#held.get(userId)?.has(tokenId) === false
  }

  removeAccount(userId: UserId): void {
    this.#accounts.delete(userId)
    this.#removeHeld(userId)
  }

  #removeHeld(userId: UserId): void {
    this.#heldTokens -= this.#held.get(userId)?.size ?? 0
    this.#held.delete(userId)
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

  position(tokenId: TokenId, userId: UserId): Position {
    const holding = this.holding(tokenId, userId)
    if (holding === undefined || !holding.isRow) return NO_POSITION
    return { amount: new Decimal(holding.amount), cost: new Decimal(holding.cost) }
  }

  /** After the token's pool: what a holding is belongs to a `seq`. */
  setHolding(tokenId: TokenId, userId: UserId, holding: Holding): void {
    const holdings = this.#tokens.get(tokenId)?.holdings
    if (holdings === undefined) throw new Error(`no pool of token ${tokenId}`)
    if (!holdings.has(userId)) this.#holdings++
    holdings.set(userId, holding)
    const held = this.#held.get(userId)
    if (holding.isRow && held !== undefined && !held.has(tokenId)) {
      held.add(tokenId)
      this.#heldTokens++
    }
  }

  /** The pool with all holdings of its token. */
  removeToken(tokenId: TokenId): void {
    this.#holdings -= this.#tokens.get(tokenId)?.holdings.size ?? 0
    this.#tokens.delete(tokenId)
  }

  clear(): void {
    this.#accounts.clear()
    this.#held.clear()
    this.#tokens.clear()
    this.#holdings = 0
    this.#heldTokens = 0
  }
}
