import { Decimal, type Pool, type Position, type Price, type Sol, solText, type Tokens } from '@papermoon/amm'
import type { TokenId, UserId } from '@papermoon/contract/ids'
import type { OrderBase } from '../orders.ts'
import type { OrderBook } from '../waiting/waiting-order.ts'

/** A token's seal, which may have ended. */
export interface SealState {
  /** Number of seals so far. This number is the version of the seal's state, because seals do not change `seq`. */
  readonly number: number
  /** End of the liquidity's seal in Unix ms, or null if it was never sealed. */
  readonly untilMs: number | null
  readonly bagUntilMs: number | null
  readonly bagTokens: Tokens
  /** Hash of the last seal, or null if there is none. */
  readonly head: string | null
}

export const NO_SEAL: SealState = {
  number: 0,
  untilMs: null,
  bagUntilMs: null,
  bagTokens: new Decimal(0),
  head: null,
}

/**
 * A pool's row. Every change to the pool or to a holding of its token raises `seq`, so `seq` is the version of both.
 */
export interface TokenPool {
  readonly tokenId: TokenId
  readonly pool: Pool
  /** SOL paid to the treasury so far. */
  readonly fees: Sol
  readonly price: Price
  readonly seq: number
  readonly lastEventAtMs: number
  /** Hash of the last journal entry or of the launch, as 64 hexadecimal digits. */
  readonly chainHead: string
  /** Whether an operator hid the token. A hidden token can only be sold. */
  readonly isHidden: boolean
  readonly creatorId: UserId
  readonly seal: SealState
  readonly book: OrderBook
  /** The end of trading, or null in the fairground, where trading never ends. */
  readonly closing: Closing | null
}

/** The end of trading in a fair. */
export interface Closing {
  /** Time of the end in Unix ms, by the database's clock. */
  readonly atMs: number
  /** Whether the end had passed when the pool was read. */
  readonly isPast: boolean
}

export interface Account {
  /** Account id. In the fairground, the account has the id of its player. */
  readonly id: number
  readonly userId: UserId
  readonly username: string
  readonly balance: Sol
  /** The balance as text, so that it is formatted only once. */
  readonly balanceText: string
}

export function withBalance(account: Pick<Account, 'id' | 'userId' | 'username'>, balance: Sol): Account {
  const { id, userId, username } = account
  return { id, userId, username, balance, balanceText: solText(balance) }
}

/** A holding. The amounts of a holding are text, because text takes less memory than Decimals. */
export interface Holding {
  readonly amount: string
  readonly cost: string
  /** Whether the holding has a row in the database. */
  readonly isRow: boolean
}

export const NO_HOLDING: Holding = { amount: '0', cost: '0', isRow: false }
export const NO_POSITION: Position = { amount: new Decimal(0), cost: new Decimal(0) }

/** SOL that an API key with a limit has spent. */
export interface KeySpending {
  readonly keyId: number
  /** Max SOL per UTC day. */
  readonly limit: Sol
  /** SOL spent on `day`. */
  readonly spent: Sol
  /** A UTC day such as `2026-11-22`; `NEVER_SPENT` before the first order. */
  readonly day: string
}

/** The day of keys that have never spent SOL. This day sorts before all real days, as text and as a PostgreSQL date. */
export const NEVER_SPENT = '-infinity'

/**
 * Approximate size of each item in bytes. `heldSet` is a player's set of held tokens, and `held` is one token in it.
 */
const BYTES = { account: 400, pool: 1_600, holding: 250, heldSet: 350, held: 32, spending: 400 }

/** The market's rows as they were last read or written. The engine applies orders to these rows. */
export class Market {
  readonly #accounts = new Map<number, Account>()
  /** The complete set of tokens for which a player has a holding row, by account. */
  readonly #held = new Map<number, Set<TokenId>>()
  readonly #tokens = new Map<TokenId, { pool: TokenPool; readonly holdings: Map<UserId, Holding> }>()
  /** Spent SOL by id of the API key, for keys with a limit. */
  readonly #spendings = new Map<number, KeySpending>()
  #holdings = 0
  #heldTokens = 0

  /** Approximate size of all rows in memory, in bytes. */
  get bytes(): number {
    return (
      this.#accounts.size * BYTES.account +
      this.#tokens.size * BYTES.pool +
      this.#holdings * BYTES.holding +
      this.#held.size * BYTES.heldSet +
      this.#heldTokens * BYTES.held +
      this.#spendings.size * BYTES.spending
    )
  }

  account(id: number): Account | undefined {
    return this.#accounts.get(id)
  }

  setAccount(account: Account): void {
    this.#accounts.set(account.id, account)
  }

  /**
   * Sets the tokens for which the player has a holding row. Every trade changes the balance, so a write that verifies
   * the balance also verifies this set.
   */
  setHeld(accountId: number, tokenIds: readonly TokenId[]): void {
    this.#removeHeld(accountId)
    this.#held.set(accountId, new Set(tokenIds))
    this.#heldTokens += tokenIds.length
  }

  /** Returns true only if the player certainly has no holding row of the token. */
  neverHeld(accountId: number, tokenId: TokenId): boolean {
    return this.#held.get(accountId)?.has(tokenId) === false
  }

  removeAccount(id: number): void {
    this.#accounts.delete(id)
    this.#removeHeld(id)
  }

  #removeHeld(accountId: number): void {
    this.#heldTokens -= this.#held.get(accountId)?.size ?? 0
    this.#held.delete(accountId)
  }

  pool(tokenId: TokenId): TokenPool | undefined {
    return this.#tokens.get(tokenId)?.pool
  }

  setPool(pool: TokenPool): void {
    const token = this.#tokens.get(pool.tokenId)
    if (token === undefined) this.#tokens.set(pool.tokenId, { pool, holdings: new Map() })
    else token.pool = pool
  }

  /** Returns undefined if the holding was not read. */
  holding(tokenId: TokenId, userId: UserId): Holding | undefined {
    return this.#tokens.get(tokenId)?.holdings.get(userId)
  }

  position(tokenId: TokenId, userId: UserId): Position {
    const holding = this.holding(tokenId, userId)
    if (holding === undefined || !holding.isRow) return NO_POSITION
    return { amount: new Decimal(holding.amount), cost: new Decimal(holding.cost) }
  }

  /**
   * Sets a holding. Throws if the token's pool is not set, because a holding is valid only for a certain `seq` of its
   * pool.
   */
  setHolding(tokenId: TokenId, userId: UserId, holding: Holding, accountId: number = userId): void {
    const holdings = this.#tokens.get(tokenId)?.holdings
    if (holdings === undefined) throw new Error(`no pool of token ${tokenId}`)
    if (!holdings.has(userId)) this.#holdings++
    holdings.set(userId, holding)
    const held = this.#held.get(accountId)
    if (holding.isRow && held !== undefined && !held.has(tokenId)) {
      held.add(tokenId)
      this.#heldTokens++
    }
  }

  /** Removes a token's pool and all holdings of the token. */
  removeToken(tokenId: TokenId): void {
    this.#holdings -= this.#tokens.get(tokenId)?.holdings.size ?? 0
    this.#tokens.delete(tokenId)
  }

  /** Returns undefined if the spending was not read or the key is revoked. */
  spending(keyId: number): KeySpending | undefined {
    return this.#spendings.get(keyId)
  }

  setSpending(spending: KeySpending): void {
    this.#spendings.set(spending.keyId, spending)
  }

  removeSpending(keyId: number): void {
    this.#spendings.delete(keyId)
  }

  clear(): void {
    this.#spendings.clear()
    this.#accounts.clear()
    this.#held.clear()
    this.#tokens.clear()
    this.#holdings = 0
    this.#heldTokens = 0
  }
}

/** Returns the id of the account that pays for an order: the player's account in a fair, or the player's own. */
export function getAccountId({ accountId, userId }: Pick<OrderBase, 'accountId' | 'userId'>): number {
  return accountId ?? userId
}

/** Number of waiting orders per player, in total and by token. */
export class WaitingCounts {
  readonly #counts = new Map<string, number>()

  add(userId: UserId, tokenId: TokenId, count: number): void {
    for (const key of [`${userId}`, `${userId} ${tokenId}`]) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count)
  }

  /** Returns a player's number of waiting orders for one token, or for all tokens. */
  get(userId: UserId, tokenId?: TokenId): number {
    return this.#counts.get(tokenId === undefined ? `${userId}` : `${userId} ${tokenId}`) ?? 0
  }
}
