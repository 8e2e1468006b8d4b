import {
  type BotOrder,
  type MarketEvent,
  type Outcome,
  type Seal,
  toSeal,
  toTradeEvent,
  type Venue,
} from '@papermoon/bots'
import { DomainError, type SealEvent, type TokenId, type Trade } from '@papermoon/engine'
import type { MarketHistory } from '@papermoon/engine/bulk'
import { toOrder } from './bot-orders.ts'
import type { HistoryClock } from './history-clock.ts'

/**
 * Carries out the orders of a simulation by the trading engine's own rules. The simulation sees floats; the history keeps
 * the exact figures, at its own times.
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
      // Whole milliseconds, as in the journal.
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

  /** `trade` must be the last one of the history. */
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
