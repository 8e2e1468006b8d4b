import type { TradeEvent } from './events.ts'
import { NO_SEAL, type Seal } from './seal.ts'
import type { RecentTrade, TokenView } from './views.ts'

const RECENT_TRADES = 16
const FAST_MS = 60_000
const SLOW_MS = 30 * 60_000

type Slot = { -readonly [Key in keyof RecentTrade]: RecentTrade[Key] }

/** A token's state when its history begins. */
export type TokenStart = Omit<TokenView, 'price' | 'fastPrice' | 'slowPrice' | 'topPrice' | 'recentTrade' | 'seal'> & {
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

  constructor(start: TokenStart) {
    this.id = start.id
    this.name = start.name
    this.symbol = start.symbol
    this.createdAtMs = start.createdAtMs
    this.creatorId = start.creatorId
    this.creatorRugs = start.creatorRugs
    this.creatorLaunches = start.creatorLaunches
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
    this.#remember(trade)
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
