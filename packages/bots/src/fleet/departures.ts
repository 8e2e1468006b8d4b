import { MINUTE_MS } from '../market/figures.ts'
import type { Random } from '../random/random.ts'

/** A bot that holds a token which the house must leave by a moment. */
export interface Holding {
  readonly member: number
  readonly tokenId: number
  readonly leaveByMs: number
}

export interface Departure extends Holding {
  /** Whether any price will do. */
  readonly isUrgent: boolean
}

/** Time between two looks at whether there is anything to leave, and between two sales at least. */
const LOOK_MS = 5_000
const PAUSE_MIN_MS = 50
/** Sales are spread over the time until this long before the end; then any price will do. */
const MARGIN_MS = 2 * MINUTE_MS
/** Sales of one bag in the mean. */
const SALES = 2

/**
 * When bots sell what they hold of tokens that are about to lose their seal: at random moments, the more often the less
 * time is left. It keeps nothing but its clock, so that a restart or a pause forgets nothing.
 */
export class Departures {
  readonly #random: Random
  #isSale = false
  nextAtMs: number

  constructor(random: Random, startMs: number) {
    this.#random = random
    this.nextAtMs = startMs + LOOK_MS
  }

  /** The sale to make now, from what bots hold and must leave; plans the next look. */
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
