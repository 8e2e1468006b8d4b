import { createHistogram, type Histogram } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BotOrder, createRandom } from '../index.ts'
import type { EventCheck } from './event-check.ts'
import type { LoadMarket } from './load-market.ts'
import type { Player } from './player.ts'

/**
 * Max number of orders without a response. With more pending orders, the test would measure this program and not the
 * server.
 */
const UNDER_WAY_MAX = 2_000
/** How long to wait for the last orders' responses and events, in ms. */
const DRAIN_MAX_MS = 10_000
const DRAIN_POLL_MS = 50
/**
 * Max wait in ms. After a longer wait, several orders would be sent at once, because timers are late by about a
 * millisecond.
 */
const WAIT_MAX_MS = 50

export interface LoadPlan {
  readonly rate: number
  readonly seconds: number
  readonly seed: string
}

export interface LoadResult {
  readonly plan: LoadPlan
  /** How long the program sent orders, in ms. */
  readonly lastedMs: number
  readonly scheduled: number
  readonly done: number
  readonly refused: ReadonlyMap<string, number>
  /** Number of orders without a response at the end. */
  readonly unknown: number
  /** Number of scheduled times at which no player wanted to trade. */
  readonly idle: number
  /** Number of orders that were not sent because too many had no response yet. */
  readonly dropped: number
  /** Time from an order's scheduled time to its response, in µs. The latencies include those of rejected orders. */
  readonly latencies: Histogram
  /** How late this program sent its orders, in µs. The latencies include this lag. */
  readonly lags: Histogram
  readonly eventsExpected: number
  readonly eventsMissed: number
}

interface LoadParts {
  readonly players: ReadonlyMap<number, Player>
  readonly market: LoadMarket
  readonly check: EventCheck
  /** When this signal aborts, the run ends early. */
  readonly signal: AbortSignal
}

/**
 * Sends orders by a Poisson process that does not wait for responses. Latency counts from the scheduled time. If the
 * server stalls, orders that are due during the stall get a high latency.
 */
export class LoadRun {
  readonly #plan: LoadPlan
  readonly #parts: LoadParts
  readonly #refused = new Map<string, number>()
  readonly #latencies = createHistogram()
  readonly #lags = createHistogram()
  readonly #givenUp = new AbortController()
  readonly #startedMs = performance.now()
  #lastedMs = 0
  #counts = { scheduled: 0, done: 0, unknown: 0, idle: 0, dropped: 0 }
  #underWay = 0

  constructor(plan: LoadPlan, parts: LoadParts) {
    this.#plan = plan
    this.#parts = parts
  }

  get result(): LoadResult {
    const { check } = this.#parts
    return {
      ...this.#counts,
      plan: this.#plan,
      lastedMs: this.#lastedMs,
      refused: this.#refused,
      latencies: this.#latencies,
      lags: this.#lags,
      eventsExpected: check.expected,
      eventsMissed: check.missing,
    }
  }

  async run(): Promise<LoadResult> {
    const { signal } = this.#parts
    const { rate, seconds, seed } = this.#plan
    const random = createRandom(`${seed}/schedule`)
    const toGapMs = () => random.exponential(1_000 / rate)
    const endMs = this.#startedMs + seconds * 1_000
    let dueMs = this.#startedMs + toGapMs()
    while (!signal.aborted && dueMs < endMs) {
      const waitMs = dueMs - performance.now()
      if (waitMs > 1) await sleep(Math.min(waitMs, WAIT_MAX_MS))
      // Yield, so that the program reads responses even while orders are overdue.
      else await new Promise((resolve) => setImmediate(resolve))
      for (; dueMs <= performance.now() && dueMs < endMs && !signal.aborted; dueMs += toGapMs()) this.#send(dueMs)
      this.#lastedMs = performance.now() - this.#startedMs
    }
    await this.#drain()
    return this.result
  }

  #send(dueMs: number): void {
    const { market, players } = this.#parts
    this.#counts.scheduled++
    if (this.#underWay >= UNDER_WAY_MAX) {
      this.#counts.dropped++
      return
    }
    const order = market.decide()
    const player = order === null ? undefined : players.get(order.userId)
    if (order === null || player === undefined) {
      this.#counts.idle++
      return
    }
    this.#lags.record(microsecondsSince(dueMs))
    this.#underWay++
    void this.#place(player, order, dueMs).finally(() => this.#underWay--)
  }

  async #place(player: Player, order: BotOrder, dueMs: number): Promise<void> {
    const { market, check } = this.#parts
    const outcome = await player.place(order, this.#givenUp.signal)
    if (outcome.kind === 'unknown') this.#counts.unknown++
    else this.#latencies.record(microsecondsSince(dueMs))
    if (outcome.kind === 'done') {
      this.#counts.done++
      const { tokenId, seq } = outcome
      if (seq !== null && seq > 0) check.acknowledged(tokenId, seq)
      return
    }
    if (outcome.kind === 'refused') this.#refused.set(outcome.code, (this.#refused.get(outcome.code) ?? 0) + 1)
    market.refused(order)
  }

  /** Waits for the last orders' responses and events. */
  async #drain(): Promise<void> {
    const { check } = this.#parts
    const endMs = performance.now() + DRAIN_MAX_MS
    while ((this.#underWay > 0 || check.missing > 0) && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, DRAIN_POLL_MS))
    }
    this.#givenUp.abort()
    while (this.#underWay > 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Returns at least 1, because a histogram's values start at 1. */
function microsecondsSince(ms: number): number {
  return Math.max(1, Math.round((performance.now() - ms) * 1_000))
}
