import type { TradeEvent } from './events.ts'
import { LAUNCH_TOKENS } from './figures.ts'
import { NO_SEAL, type Seal } from './seal.ts'
import type { RecentTrade, TokenView } from './views.ts'

const RECENT_TRADES = 16
const FAST_MS = 60_000
const SLOW_MS = 30 * 60_000
/** Part of the supply that a creator must have held for a sale of most of it to count as a dump. */
const DUMP_SHARE_MIN = 0.05

type Slot = { -readonly [Key in keyof RecentTrade]: RecentTrade[Key] }

/** What bots remember of a creator. */
export interface Creator {
  rugs: number
  /** Times of the launches in the last day, in Unix ms. */
  launchesMs: number[]
  /** The last sale of most of a large holding of an own token, or rug pull. */
  lastDump: { readonly tokenId: number; readonly atMs: number } | null
}

/** Fields of a token that result from events, or have a default when its history begins. */
type Derived =
  | ('price' | 'fastPrice' | 'slowPrice' | 'topPrice' | 'recentTrade' | 'seal')
  | ('creatorTokens' | 'creatorDumpedAtMs')

/** A token's state when its history begins. */
export type TokenStart = Omit<TokenView, Derived> & {
  /** Number of tokens that the creator holds (default: 0). */
  readonly creatorTokens?: number
  /** Seal of the token (default: none). */
  readonly seal?: Seal
}

/** A token's state, which each event updates in constant time and space. */
export class TokenState implements TokenView {
  readonly id: number
  readonly name: string
  readonly symbol: string
  readonly createdAtMs: number
  readonly creatorId: number
  readonly creatorRugs: number
  readonly creatorLaunches: number
  creatorTokens: number
  solReserve: number
  tokenReserve: number
  price: number
  fastPrice: number
  slowPrice: number
  topPrice: number
  lastTradeAtMs: number
  tradeCount: number
  volume: number
  holderCount: number
  isRugged: boolean
  seal: Seal
  readonly #recent: Slot[] = []
  #latest = -1
  readonly #creator: Creator
  /** The largest number of tokens that the creator has held. */
  #creatorPeak: number

  constructor(start: TokenStart, creator: Creator) {
    this.#creator = creator
    this.id = start.id
    this.name = start.name
    this.symbol = start.symbol
    this.createdAtMs = start.createdAtMs
    this.creatorId = start.creatorId
    this.creatorRugs = start.creatorRugs
    this.creatorLaunches = start.creatorLaunches
    this.creatorTokens = start.creatorTokens ?? 0
    this.#creatorPeak = this.creatorTokens
    this.solReserve = start.solReserve
    this.tokenReserve = start.tokenReserve
    this.price = start.solReserve / start.tokenReserve
    this.fastPrice = this.price
    this.slowPrice = this.price
    this.topPrice = this.price
    this.lastTradeAtMs = start.lastTradeAtMs
    this.tradeCount = start.tradeCount
    this.volume = start.volume
    this.holderCount = start.holderCount
    this.isRugged = start.isRugged
    this.seal = start.seal ?? NO_SEAL
  }

  get creatorDumpedAtMs(): number {
    const { lastDump } = this.#creator
    return lastDump === null || lastDump.tokenId === this.id ? Number.NEGATIVE_INFINITY : lastDump.atMs
  }

  recentTrade(age: number): RecentTrade | undefined {
    if (age >= this.#recent.length) return undefined
    return this.#recent[(this.#latest - age + RECENT_TRADES) % RECENT_TRADES]
  }

  applyTrade(trade: TradeEvent): void {
    this.#ageAverages(trade.atMs)
    this.solReserve = trade.solReserve
    this.tokenReserve = trade.tokenReserve
    this.price = trade.solReserve / trade.tokenReserve
    if (this.price > this.topPrice) this.topPrice = this.price
    this.tradeCount++
    this.volume += trade.side === 'buy' ? trade.sol : trade.sol + trade.fee
    if (trade.side === 'buy') {
      if (trade.holding === trade.tokens) this.holderCount++
    } else if (trade.holding === 0) this.holderCount--
    if (trade.userId === this.creatorId) this.#applyCreatorTrade(trade)
    this.#remember(trade)
  }

  /** Notes a dump if the creator, who held a large part of the supply, has sold most of it. */
  #applyCreatorTrade({ side, holding, atMs }: TradeEvent): void {
    this.creatorTokens = holding
    this.#creatorPeak = Math.max(this.#creatorPeak, holding)
    const isLarge = this.#creatorPeak >= LAUNCH_TOKENS * DUMP_SHARE_MIN
    if (side === 'sell' && isLarge && holding < this.#creatorPeak / 2) {
      this.#creator.lastDump = { tokenId: this.id, atMs }
    }
  }

  applyRug(atMs: number): void {
    this.isRugged = true
    this.solReserve = 0
    this.price = 0
    this.lastTradeAtMs = atMs
  }

  /**
   * Moves the price averages towards the price since the last trade. The averages move further if more time has passed.
   */
  #ageAverages(atMs: number): void {
    const passedMs = atMs - this.lastTradeAtMs
    this.fastPrice += (this.price - this.fastPrice) * (1 - Math.exp(-passedMs / FAST_MS))
    this.slowPrice += (this.price - this.slowPrice) * (1 - Math.exp(-passedMs / SLOW_MS))
    this.lastTradeAtMs = atMs
  }

  #remember({ atMs, userId, side, sol }: TradeEvent): void {
    this.#latest = (this.#latest + 1) % RECENT_TRADES
    const slot = this.#recent[this.#latest]
    if (slot === undefined) {
      this.#recent.push({ atMs, userId, side, sol, price: this.price })
      return
    }
    slot.atMs = atMs
    slot.userId = userId
    slot.side = side
    slot.sol = sol
    slot.price = this.price
  }
}
