import { CHARACTERS } from '../cast/characters.ts'
import { Fleet } from '../fleet/fleet.ts'
import { computeHouseGrant, HOUSE_FLOAT_SOL } from '../house-limits.ts'
import { DAY_MS, HOUR_MS } from '../market/figures.ts'
import type { BotOrder } from '../orders.ts'
import type { Actor } from './actor.ts'
import { FloatVenue } from './float-venue.ts'
import { simulate } from './simulate.ts'

/** Lowest user id of players who do not belong to the house. */
export const FIRST_STRANGER_ID = 1000

export interface DemoMarketOptions {
  readonly seed: number | string
  /** Time when the empty market opens, in Unix ms. */
  readonly startMs: number
  /** How long the bots trade among themselves before strangers arrive, in ms. */
  readonly warmUpMs: number
}

/**
 * A simulated demo world with all house bots on the fast venue. The house bots are topped up every hour within the
 * house's limits.
 */
export class DemoMarket {
  readonly venue = new FloatVenue()
  readonly fleet: Fleet
  readonly treasurer: Treasurer
  readonly fromMs: number

  constructor({ seed, startMs, warmUpMs }: DemoMarketOptions) {
    const members = CHARACTERS.map((character, index) => ({ userId: index + 1, character, balance: HOUSE_FLOAT_SOL }))
    for (const { userId, balance } of members) this.venue.grant(userId, balance)
    this.fleet = new Fleet({ seed, members, startMs })
    this.treasurer = new Treasurer(this.venue, this.fleet, startMs)
    this.fromMs = startMs + warmUpMs
    simulate({ actors: this.actors, venue: this.venue, fromMs: startMs, untilMs: this.fromMs })
  }

  get actors(): readonly Actor[] {
    return [this.fleet, this.treasurer]
  }
}

/** Tops up the house bots every hour, within the house's limits. */
class Treasurer implements Actor {
  readonly #venue: FloatVenue
  readonly #fleet: Fleet
  readonly #granted = new Float64Array(CHARACTERS.length)
  #day: number
  nextAtMs: number
  /** SOL granted so far, and the max SOL that one bot got in a day. */
  total = 0
  mostPerDay = 0

  constructor(venue: FloatVenue, fleet: Fleet, startMs: number) {
    this.#venue = venue
    this.#fleet = fleet
    this.#day = Math.floor(startMs / DAY_MS)
    this.nextAtMs = startMs + HOUR_MS
  }

  act(nowMs: number): BotOrder | null {
    this.nextAtMs = nowMs + HOUR_MS
    const day = Math.floor(nowMs / DAY_MS)
    if (day !== this.#day) this.#granted.fill(0)
    this.#day = day
    for (const index of CHARACTERS.keys()) this.#topUp(index)
    return null
  }

  observe(): void {}

  #topUp(index: number): void {
    const userId = index + 1
    const granted = this.#granted[index] ?? 0
    const sol = computeHouseGrant(this.#venue.balance(userId), granted)
    if (sol === 0) return
    this.#venue.grant(userId, sol)
    this.#fleet.setBalance(userId, this.#venue.balance(userId))
    this.#granted[index] = granted + sol
    this.total += sol
    this.mostPerDay = Math.max(this.mostPerDay, granted + sol)
  }
}
