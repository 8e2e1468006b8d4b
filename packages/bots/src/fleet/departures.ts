import { MINUTE_MS } from '../market/figures.ts'
import type { Random } from '../random/random.ts'

/** A bot's holding of a token that the house must sell by a deadline. */
export interface Holding {
  readonly member: number
  readonly tokenId: number
  readonly leaveByMs: number
}

export interface Departure extends Holding {
  readonly isUrgent: boolean
}

/** Min time between two checks for tokens to sell, in ms. The min time between two sales is the same. */
const LOOK_MS = 5_000
const PAUSE_MIN_MS = 50
/** Time before the deadline from which the bots sell at any price, in ms. */
const MARGIN_MS = 2 * MINUTE_MS
/** Mean number of sales into which the house splits a holding. */
const SALES = 2

/**
 * Decides when bots sell tokens whose seal is about to end. The bots sell at random times, and more often as the
 * deadline approaches. A restart loses nothing, because the only state is the time of the next check.
 */
export class Departures {
  readonly #random: Random
  #isSale = false
  nextAtMs: number

  constructor(random: Random, startMs: number) {
    this.#random = random
    this.nextAtMs = startMs + LOOK_MS
  }

  /** Returns the sale to make now, if there is one, and plans the next check. */
  choose(holdings: readonly Holding[], nowMs: number): Departure | null {
    const rates = holdings.map(({ leaveByMs }) => SALES / Math.max(PAUSE_MIN_MS, leaveByMs - MARGIN_MS - nowMs))
    const total = rates.reduce((sum, rate) => sum + rate, 0)
    const isSale = this.#isSale
    const pauseMs = total > 0 ? this.#random.exponential(1 / total) : Number.POSITIVE_INFINITY
    this.#isSale = pauseMs <= LOOK_MS
    this.nextAtMs = nowMs + Math.min(LOOK_MS, Math.max(PAUSE_MIN_MS, pauseMs))
    if (!isSale) return null
    const drawn = this.#random.next() * total
    let sum = 0
    const holding = holdings.find((_, index) => {
      sum += rates[index] ?? 0
      return drawn < sum
    })
    if (holding === undefined) return null
    return { ...holding, isUrgent: holding.leaveByMs - MARGIN_MS <= nowMs }
  }
}
