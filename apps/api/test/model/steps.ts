import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import { compareAll, compareTouched } from './compare.ts'
import type { PlainAnswer, PlainOrder } from './orders.ts'
import { place } from './place.ts'
import { addPlayer, type PlainMarket } from './plain-market.ts'
import type { RealAnswer, RealMarket, Transport } from './real-market.ts'
import { computeNetWorth } from './views.ts'
import { toOrder, type Wish } from './wishes.ts'

/** The state of a run; each step replaces the market by its result. */
export interface Walk {
  market: PlainMarket
  /** Outcome of the last order: `buy done`, `rug 403`. */
  went: string
}

type Step = AsyncCommand<Walk, RealMarket>

const PLAYERS_MAX = 4
const TOKENS_MAX = 5
const HOUR_MS = 3_600_000
/** Two waits are more than a day, so no check is close to the 24-hour limits. */
const WAIT_HOURS = 13

/** Registers a player. */
export class Register implements Step {
  check = ({ market }: Walk) => market.players.length < PLAYERS_MAX
  toString = () => 'register'

  async run({ market }: Walk, real: RealMarket): Promise<void> {
    const { id, username } = await real.register()
    addPlayer(market, id, username)
    await compareAll(market, real)
  }
}

/** Advances the clock. */
export class Wait implements Step {
  check = () => true
  toString = () => 'wait'

  async run({ market }: Walk, real: RealMarket): Promise<void> {
    for (const { id, granted, past } of market.players) {
      past.push({ hour: market.hour, netWorth: computeNetWorth(market, id).netWorth, granted })
    }
    market.hour += WAIT_HOURS
    real.passTime(WAIT_HOURS * HOUR_MS)
    await compareAll(market, real)
  }
}

/** Places one order by one transport. */
export class Place implements Step {
  readonly #wish: Wish
  readonly #transport: Transport

  constructor(wish: Wish, transport: Transport) {
    this.#wish = wish
    this.#transport = transport
  }

  check = ({ market }: Walk) => isPossible(market, this.#wish)
  toString = () => `${JSON.stringify(this.#wish)} by ${this.#transport}`

  async run(walk: Walk, real: RealMarket): Promise<void> {
    const order = wanted(walk.market, this.#wish)
    const answer = await real.place(order, this.#transport)
    expectAnswers(walk, [{ order, answer }])
    await compareTouched(walk.market, real, [order])
  }
}

/** Places two orders concurrently, or one twice. The answers must be those of some sequential order. */
export class PlaceBoth implements Step {
  readonly #wishes: readonly [Wish, Wish]

  constructor(one: Wish, other: Wish) {
    this.#wishes = [one, other]
  }

  check = ({ market }: Walk) => this.#wishes.every((wish) => isPossible(market, wish))
  toString = () => `${this.#wishes.map((wish) => JSON.stringify(wish)).join(' beside ')}`

  async run(walk: Walk, real: RealMarket): Promise<void> {
    const orders = this.#wishes.map((wish) => wanted(walk.market, wish))
    const done = await Promise.all(orders.map(async (order) => ({ order, answer: await real.place(order, 'rest') })))
    try {
      expectAnswers(walk, done)
    } catch {
      expectAnswers(walk, done.toReversed())
    }
    await compareTouched(walk.market, real, orders)
  }
}

interface Done {
  readonly order: PlainOrder
  readonly answer: RealAnswer
}

/** Expects the answers of the model when it executes the orders in sequence, and keeps the resulting market. */
function expectAnswers(walk: Walk, done: readonly Done[]): void {
  const market = structuredClone(walk.market)
  for (const { order, answer } of done) {
    const expected = place(market, order, launchedBy(answer))
    expectAnswer(answer, expected)
    expectSameStamps(market, order, answer)
    walk.went = `${order.kind} ${answer.ok ? 'done' : answer.status}`
  }
  walk.market = market
}

function expectAnswer({ stamps: _, ...answer }: RealAnswer, expected: PlainAnswer): void {
  expect(answer).toMatchObject(expected)
}

/** A repeat must return the id and time of the first answer. */
function expectSameStamps({ answered }: PlainMarket, { userId, key }: PlainOrder, { ok, stamps }: RealAnswer): void {
  const prior = answered.get(`${userId} ${key}`)
  if (!ok || prior === undefined) return
  prior.stamps ??= stamps
  expect(stamps).toBe(prior.stamps)
}

function launchedBy(answer: RealAnswer): number {
  return answer.ok ? Number(answer.body.id) : 0
}

function isPossible(market: PlainMarket, wish: Wish): boolean {
  if (wish.kind === 'launch' && market.tokens.length >= TOKENS_MAX) return false
  return toOrder(market, wish) !== null
}

function wanted(market: PlainMarket, wish: Wish): PlainOrder {
  const order = toOrder(market, wish)
  if (order === null) throw new Error('a step that has nothing to do')
  return order
}
