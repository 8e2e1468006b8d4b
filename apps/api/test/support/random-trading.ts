import { Decimal, parseSol, type Sol } from '@papermoon/amm'
import type { Order, TokenId, UserId } from '@papermoon/engine'
import { DomainError } from '@papermoon/engine'
import { aToken, type TestMarket } from '@papermoon/engine/testing'

const PLAYERS = 12
/** Number of orders that run at the same time. The engine puts them into one batch. */
const LANES = 6

export interface RandomPlan {
  /** The same seed gives the same orders, but the batches can differ. */
  readonly seed: number
  readonly orders: number
  /** Called before each order. */
  readonly onOrder?: () => void
  /** Called before each order. If it returns true, the run ends early. */
  readonly isEnough?: () => boolean
}

/**
 * Lets players launch, buy, sell parts or everything, and rug through the engine. Returns the numbers of tokens, trades
 * and rug pulls.
 */
export async function tradeAtRandom(
  market: TestMarket,
  plan: RandomPlan,
): Promise<{ tokens: number; trades: number; rugs: number }> {
  const random = generator(plan.seed)
  const players = await Promise.all(Array.from({ length: PLAYERS }, () => market.addPlayer()))
  const book = new Book(market)
  for (const player of players.slice(0, 4)) await book.launch(player, parseSol('0.5'))
  let left = plan.orders
  const lane = async (): Promise<void> => {
    while (left-- > 0 && !plan.isEnough?.()) {
      plan.onOrder?.()
      await book.play(drawOrder(random, players, book)).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return book.done
}

/** The tokens and holdings that the players know, from which the next order is chosen. */
class Book {
  readonly tokens: { readonly id: TokenId; readonly creator: UserId }[] = []
  readonly done = { tokens: 0, trades: 0, rugs: 0 }
  readonly #held = new Map<string, Decimal>()
  readonly #market: TestMarket

  constructor(market: TestMarket) {
    this.#market = market
  }

  heldBy(userId: UserId, tokenId: TokenId): Decimal {
    return this.#held.get(`${tokenId}:${userId}`) ?? new Decimal(0)
  }

  async play(order: Order): Promise<void> {
    const { engine } = this.#market
    if (order.kind === 'launch') return await this.launch(order.userId, order.initialBuy)
    if (order.kind === 'seal' || order.kind === 'place' || order.kind === 'cancel') throw new Error('not played here')
    if (order.kind === 'rug') {
      await engine.submit(order)
      this.done.rugs++
      return
    }
    const { position } = await (order.kind === 'buy' ? engine.submit(order) : engine.submit(order))
    this.done.trades++
    this.#held.set(`${order.tokenId}:${order.userId}`, new Decimal(position.amount))
  }

  async launch(creator: UserId, initialBuy: Sol | undefined): Promise<void> {
    const order = { kind: 'launch', userId: creator, token: aToken, initialBuy } as const
    const { tokenId, initialTrade } = await this.#market.engine.submit(order)
    this.tokens.push({ id: tokenId, creator })
    this.done.tokens++
    if (initialTrade !== null) this.done.trades++
  }
}

type Random = (below: number) => number

function drawOrder(random: Random, players: readonly UserId[], book: Book): Order {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const userId = pick(players)
  const { id: tokenId, creator } = pick(book.tokens)
  const dice = random(100)
  const has = book.heldBy(userId, tokenId)
  if (dice < 4) {
    const initialBuy = random(2) === 0 ? undefined : parseSol(`0.${1 + random(999_999_999)}`)
    return { kind: 'launch', userId, token: aToken, initialBuy }
  }
  if (dice < 5) return { kind: 'rug', userId: creator, tokenId }
  if (dice < 45 && has.gt(0)) {
    // A third of the sales sell everything.
    const tokens =
      random(3) === 0
        ? has
        : has
            .mul(1 + random(999))
            .div(1_000)
            .toDecimalPlaces(6)
    if (tokens.gt(0)) return { kind: 'sell', userId, tokenId, tokens }
  }
  return { kind: 'buy', userId, tokenId, sol: parseSol(`${random(3)}.${1 + random(999_999_999)}`) }
}

/** Returns random whole numbers below a bound (mulberry32). */
export function generator(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}
