import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import type { TestServer } from '../support/test-server.ts'
import { compareAll, compareTouched } from './compare.ts'
import { place } from './place.ts'
import { addPlayer, emptyMarket, type PlainAnswer, type PlainMarket, type PlainOrder } from './plain-market.ts'
import { type RealAnswer, RealMarket } from './real-market.ts'
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

/** Places one order. */
export class Place implements Step {
  readonly #wish: Wish

  constructor(wish: Wish) {
    this.#wish = wish
  }

  check = ({ market }: Walk) => isPossible(market, this.#wish)
  toString = () => JSON.stringify(this.#wish)

  async run(walk: Walk, real: RealMarket): Promise<void> {
    const order = wanted(walk.market, this.#wish)
    const answer = await real.place(order)
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
    const done = await Promise.all(orders.map(async (order) => ({ order, answer: await real.place(order) })))
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

/** A walk that starts with two players and no tokens. */
export async function begin(url: string, passTime: TestServer['passTime']): Promise<{ model: Walk; real: RealMarket }> {
  const model: Walk = { market: emptyMarket(), went: '' }
  const real = new RealMarket(url, passTime)
  for (const step of [new Register(), new Register()]) await step.run(model, real)
  return { model, real }
}
