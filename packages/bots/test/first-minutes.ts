import {
  type Actor,
  type BotOrder,
  DemoMarket,
  FIRST_STRANGER_ID,
  type MarketEvent,
  simulate,
  type TradeEvent,
} from '../src/index.ts'
import { HOUR_MS, MINUTE_MS } from '../src/market/figures.ts'

/** The first minutes of a new token, as a player sees them. */
interface FirstMinutes {
  /** Milliseconds from the creator's buy to the first trade of another player, or Infinity. */
  readonly answerMs: number
  /** Number of trades by others in ten minutes, and how often the price rose and fell. */
  readonly trades: number
  readonly ups: number
  readonly downs: number
  /** Number of all trades in the market in those minutes. */
  readonly marketTrades: number
}

interface FirstMinutesOptions {
  readonly seed: number | string
  /** Hour of the day (UTC) at which the token is launched. */
  readonly hour: number
  /** SOL of the creator's first buy. */
  readonly initialBuy: number
}

const WATCHED_MS = 10 * MINUTE_MS
const WARM_UP_MS = 2 * HOUR_MS
const STORY = { name: 'First Try', symbol: 'FIRST', emoji: '🌱', description: "Somebody's first token." }

/** Launches a token with one buy in a demo world that has run for two hours, and watches it for ten minutes. */
export function watchFirstMinutes({ seed, hour, initialBuy }: FirstMinutesOptions): FirstMinutes {
  const market = new DemoMarket({ seed, startMs: hour * HOUR_MS - WARM_UP_MS, warmUpMs: WARM_UP_MS })
  const { fromMs, venue } = market
  venue.grant(FIRST_STRANGER_ID, 100)
  const creator = new Creator(fromMs, { kind: 'launch', userId: FIRST_STRANGER_ID, story: STORY, initialBuy })
  let answerMs = Number.POSITIVE_INFINITY
  let marketTrades = 0
  const moves = { up: 0, down: 0 }
  const onEvent = (event: MarketEvent) => {
    if (event.type !== 'trade') return
    marketTrades++
    if (!isAnswer(event, creator.tokenId)) return
    answerMs = Math.min(answerMs, event.atMs - fromMs)
    if (event.side === 'buy') moves.up++
    else moves.down++
  }
  simulate({ actors: [creator, ...market.actors], venue, fromMs, untilMs: fromMs + WATCHED_MS, onEvent })
  return { answerMs, trades: moves.up + moves.down, ups: moves.up, downs: moves.down, marketTrades }
}

const isAnswer = ({ tokenId, userId }: TradeEvent, launched: number) =>
  tokenId === launched && userId < FIRST_STRANGER_ID

/** A player who places one order and waits. */
class Creator implements Actor {
  readonly #order: BotOrder
  nextAtMs: number
  tokenId = 0

  constructor(atMs: number, order: BotOrder) {
    this.nextAtMs = atMs
    this.#order = order
  }

  act(): BotOrder {
    this.nextAtMs = Number.POSITIVE_INFINITY
    return this.#order
  }

  observe(event: MarketEvent): void {
    if (event.type === 'launch' && event.creatorId === this.#order.userId) this.tokenId = event.tokenId
  }
}
