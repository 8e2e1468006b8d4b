import { Decimal, type Sol } from '@papermoon/amm'
import {
  type Actor,
  type BotOrder,
  type Character,
  computeHouseGrant,
  Fleet,
  type MarketEvent,
  type Outcome,
  type Seal,
  simulate,
  toSeal,
  toTradeEvent,
  type Venue,
} from '@papermoon/bots'
import { DomainError, type SealEvent, type TokenId, type Trade, type UserId } from '@papermoon/engine'
import { MarketHistory } from '@papermoon/engine/bulk'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { toOrder } from './bot-orders.ts'
import { HistoryClock, HistoryLaunches } from './history-launches.ts'

/** Length of a history, in ms. */
export const HISTORY_MS = 14 * DAY_MS
/** Time of day at which the house grants SOL to its bots, in ms after midnight UTC. */
const GRANTS_AT_MS = 6 * HOUR_MS
export interface HistoryBot {
  readonly userId: UserId
  readonly character: Character
  /** SOL that the bot has at the start. */
  readonly balance: Sol
}

export interface HistoryPlan {
  readonly seed: number
  readonly bots: readonly HistoryBot[]
  /** The end of the history in Unix ms. */
  readonly endMs: number
  readonly nextTokenId: () => TokenId
}

export interface HistoryGrant {
  readonly userId: UserId
  readonly amount: Sol
  readonly atMs: number
}

export interface MadeHistory {
  readonly history: MarketHistory
  /** The grants that bots get after their first ones. */
  readonly grants: readonly HistoryGrant[]
}

/** Simulates two weeks of the house bots' trading. The same plan always gives the same history. */
export function makeHistory({ seed, bots, endMs, nextTokenId }: HistoryPlan): MadeHistory {
  const startMs = endMs - HISTORY_MS
  const clock = new HistoryClock({ startMs, endMs })
  const history = new MarketHistory({ nextTokenId })
  for (const { userId, character, balance } of bots) {
    history.addPlayer({ userId, username: character.name }, balance)
  }
  const members = bots.map((bot) => ({ ...bot, balance: bot.balance.toNumber() }))
  const fleet = new Fleet({ seed, members, startMs: clock.startMs })
  const launches = new HistoryLaunches({ seed, clock, startMs, endMs, creators: findCreators(bots) })
  const paymaster = new Paymaster({ history, fleet, bots, clock, startMs })
  const venue = new ExactVenue(history, clock)
  simulate({ actors: [launches, paymaster, fleet], venue, fromMs: clock.startMs, untilMs: endMs })
  return { history, grants: paymaster.grants }
}

function findCreators(bots: readonly HistoryBot[]) {
  const findBy = (strategy: Character['strategy']) =>
    bots.filter(({ character }) => character.strategy === strategy).map(({ userId }) => userId)
  return { honest: findBy('launcher'), smooth: findBy('rugPuller') }
}

interface PaymasterParts extends Pick<HistoryPlan, 'bots'> {
  readonly history: MarketHistory
  readonly fleet: Fleet
  readonly clock: HistoryClock
  readonly startMs: number
}

/** Once a day, grants SOL to bots that have little left. */
class Paymaster implements Actor {
  readonly grants: HistoryGrant[] = []
  readonly #parts: PaymasterParts
  /** Time of the next grants, by the clock of the history. */
  #payDayMs: number

  constructor(parts: PaymasterParts) {
    this.#parts = parts
    // Start on the second day, because the bots get their first grants on the first day.
    this.#payDayMs = Math.floor(parts.startMs / DAY_MS + 2) * DAY_MS + GRANTS_AT_MS
  }

  get nextAtMs(): number {
    return this.#parts.clock.toMarketMs(this.#payDayMs)
  }

  act(): null {
    const { bots, history, fleet } = this.#parts
    for (const { userId } of bots) {
      const balance = history.market.account(userId)?.balance.toNumber() ?? 0
      const amount = new Decimal(computeHouseGrant(balance, 0).toFixed(9))
      if (amount.isZero()) continue
      history.grant(userId, amount)
      fleet.setBalance(userId, balance + amount.toNumber())
      this.grants.push({ userId, amount, atMs: this.#payDayMs })
    }
    this.#payDayMs += DAY_MS
    return null
  }

  observe(): void {}
}

/**
 * Executes the orders of a simulation by the trading engine's own rules. The simulation uses floats, but the history
 * contains exact values at its own times.
 */
export class ExactVenue implements Venue {
  readonly #history: MarketHistory
  readonly #clock: Pick<HistoryClock, 'toHistoryMs' | 'toMarketMs'>
  #orders = 0

  constructor(history: MarketHistory, clock: Pick<HistoryClock, 'toHistoryMs' | 'toMarketMs'>) {
    this.#history = history
    this.#clock = clock
  }

  place(order: BotOrder, atMs: number): Outcome {
    try {
      // Round to whole milliseconds, as in the journal.
      const historyMs = Math.floor(this.#clock.toHistoryMs(atMs))
      const bulk = { order: toOrder(order), atMs: historyMs, requestKey: `demo-${++this.#orders}` }
      const sealsBefore = this.#history.seals.length
      const receipt = this.#history.place(bulk)
      const seals = this.#history.seals.slice(sealsBefore).map(({ event }) => this.#toSealEvent(event, atMs))
      if ('trade' in receipt) return done(this.#toTradeEvent(receipt.trade, atMs))
      if ('ruggedAmount' in receipt) {
        const { tokenId, ruggedAmount } = receipt
        return done({ type: 'rug', atMs, tokenId, userId: order.userId, sol: Number(ruggedAmount) })
      }
      if (!('initialTrade' in receipt)) return done(...seals)
      const launch = toLaunchEvent(order, receipt.tokenId, atMs)
      const { initialTrade } = receipt
      const trades = initialTrade === null ? [] : [this.#toTradeEvent(initialTrade, atMs)]
      return done(launch, ...trades, ...seals)
    } catch (error) {
      if (error instanceof DomainError) return { isDone: false, code: error.code }
      throw error
    }
  }

  /** Converts a trade to an event; `trade` must be the history's last trade. */
  #toTradeEvent(trade: Trade, atMs: number): MarketEvent {
    const entry = this.#history.trades.at(-1)
    if (entry === undefined) throw new Error('no trade was kept')
    return toTradeEvent({ ...entry.event, trade }, atMs)
  }

  #toSealEvent({ tokenId, userId, kind, seal: texts }: SealEvent, atMs: number): MarketEvent {
    const { liquidityUntilMs, bagUntilMs, bagTokens } = toSeal(texts)
    const toMarketMs = (untilMs: number) => (untilMs > 0 ? this.#clock.toMarketMs(untilMs) : 0)
    const seal: Seal = {
      liquidityUntilMs: toMarketMs(liquidityUntilMs),
      bagUntilMs: toMarketMs(bagUntilMs),
      bagTokens,
    }
    return { type: 'seal', atMs, tokenId, userId, kind, seal }
  }
}

function done(...events: MarketEvent[]): Outcome {
  return { isDone: true, events }
}

function toLaunchEvent(order: BotOrder, tokenId: TokenId, atMs: number): MarketEvent {
  if (order.kind !== 'launch') throw new Error(`a ${order.kind} launched a token`)
  const { name, symbol } = order.story
  return { type: 'launch', atMs, tokenId, creatorId: order.userId, name, symbol }
}
