import {
  type Actor,
  type BotOrder,
  createRandom,
  drawSeal,
  type LaunchEvent,
  type MarketEvent,
  type Random,
  StoryTeller,
} from '@papermoon/bots'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../lib/durations.ts'

/** Number of launches that are planned. Bots launch a few more tokens themselves. */
const LAUNCHES = 38

/** The part of all launches that bots who may rug make. */
const SMOOTH_SHARE = 0.25

/** The part of these bots' tokens that end with a rug pull. */
const RUGGED_SHARE = 0.4

const RUGGED_AFTER_MS = { min: 4 * 3_600_000, max: 60 * 3_600_000 }

/** First buys of creators in SOL: median and spread of a log-normal distribution, and the largest allowed buy. */
const FIRST_BUY = { median: 3, spread: 0.8, max: 20 }

/** Number of tokens that are launched at the very start, so that bots have something to trade. */
const FIRST_TOKENS = 2

const LAST_BEFORE_MS = 25 * 60_000

/**
 * How many times slower than live the market runs in most of a history. With this factor, two weeks have about ten
 * thousand trades.
 */
const SLOWNESS = 40

/** Time constant in ms with which the market approaches live speed at the end of the history. */
const RAMP_MS = 1.2 * HOUR_MS

/** Part by which the speed at day and at night differs from the mean. */
const SWING = 0.5

const BUSIEST_MS = 20 * HOUR_MS

/**
 * Stretches the bots' time (market time) over a longer history. Bots react to the speed of others' trades, so they keep
 * their usual speed in market time. The market runs slowest at night, and as fast as live at the end of the history.
 */
export class HistoryClock {
  /** The market time at the start, in ms. */
  readonly startMs: number
  readonly #historyStartMs: number
  /** The market time that passes from the start to the beginning of each minute, in ms. */
  readonly #passed: Float64Array

  constructor({ startMs, endMs }: { readonly startMs: number; readonly endMs: number }) {
    const minutes = Math.ceil((endMs - startMs) / MINUTE_MS)
    this.#historyStartMs = startMs
    this.#passed = new Float64Array(minutes + 1)
    for (let minute = 0; minute < minutes; minute++) {
      const atMs = startMs + (minute + 0.5) * MINUTE_MS
      this.#passed[minute + 1] = (this.#passed[minute] ?? 0) + MINUTE_MS * computeSpeed(atMs, endMs)
    }
    this.startMs = endMs - (this.#passed[minutes] ?? 0)
  }

  /** Converts a market time to a time in the history. */
  toHistoryMs(marketMs: number): number {
    const passed = marketMs - this.startMs
    let low = 0
    let high = this.#passed.length - 1
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#passed[middle] ?? 0) <= passed) low = middle
      else high = middle
    }
    const from = this.#passed[low] ?? 0
    const to = this.#passed[low + 1] ?? 0
    const part = to > from ? (passed - from) / (to - from) : 0
    return this.#historyStartMs + (low + Math.min(1, Math.max(0, part))) * MINUTE_MS
  }

  /** Converts a time in the history to a market time. */
  toMarketMs(historyMs: number): number {
    const minutes = (historyMs - this.#historyStartMs) / MINUTE_MS
    const low = Math.min(this.#passed.length - 2, Math.max(0, Math.floor(minutes)))
    const from = this.#passed[low] ?? 0
    const to = this.#passed[low + 1] ?? 0
    return this.startMs + from + (minutes - low) * (to - from)
  }
}

/** A rug pull that is planned for a market time. If there is no token to rug, a token is launched instead. */
interface Plan {
  readonly atMs: number
  readonly rug?: { readonly userId: number; readonly tokenId: number }
}

interface LaunchParts {
  readonly seed: number
  readonly clock: HistoryClock
  readonly startMs: number
  readonly endMs: number
  /** The users who launch tokens. One group of users never rugs, and the other group may rug. */
  readonly creators: { readonly honest: readonly number[]; readonly smooth: readonly number[] }
}

/**
 * Launches tokens during a history and pulls some rugs. The bots themselves would do this too rarely, because their
 * chances are per day, and the days of a history are short.
 */
export class HistoryLaunches implements Actor {
  readonly #parts: LaunchParts
  readonly #random: Random
  readonly #stories: StoryTeller
  /** All planned launches and rug pulls. The last plan in the list comes next. */
  #plans: Plan[]

  constructor(parts: LaunchParts) {
    const { seed, clock, startMs, endMs } = parts
    this.#parts = parts
    this.#random = createRandom(seed).fork('history launches')
    this.#stories = new StoryTeller(this.#random.fork('stories'))
    const later = Array.from({ length: LAUNCHES - FIRST_TOKENS - 1 }, () => this.#random.uniform(startMs, endMs))
    const at = [...Array<number>(FIRST_TOKENS).fill(startMs), ...later, endMs - LAST_BEFORE_MS]
    this.#plans = sortPlans(at.map((historyMs) => ({ atMs: clock.toMarketMs(historyMs) })))
  }

  get nextAtMs(): number {
    return this.#plans.at(-1)?.atMs ?? Number.POSITIVE_INFINITY
  }

  act(nowMs: number): BotOrder {
    const rug = this.#plans.pop()?.rug
    if (rug !== undefined) return { kind: 'rug', ...rug }
    const { honest, smooth } = this.#parts.creators
    // The first tokens of a history are never rugged.
    const isSmooth = nowMs > this.#parts.clock.startMs && this.#random.chance(SMOOTH_SHARE)
    const [some, others] = isSmooth ? [smooth, honest] : [honest, smooth]
    const userId = this.#random.pick(some.length > 0 ? some : others)
    const { median, spread, max } = FIRST_BUY
    const initialBuy = Math.min(max, this.#random.logNormal(median, spread))
    const launch = { story: this.#stories.tell(), initialBuy: Math.floor(initialBuy * 1e3) / 1e3 }
    return { kind: 'launch', userId, ...launch, ...drawSeal(this.#random, !smooth.includes(userId)) }
  }

  observe(event: MarketEvent): void {
    if (event.type !== 'launch') return
    this.#stories.note(event.name)
    this.#stories.note(event.symbol)
    if (this.#parts.creators.smooth.includes(event.creatorId) && this.#random.chance(RUGGED_SHARE)) this.#planRug(event)
  }

  #planRug({ atMs, creatorId: userId, tokenId }: LaunchEvent): void {
    const { clock } = this.#parts
    const { min, max } = RUGGED_AFTER_MS
    const rugMs = clock.toHistoryMs(atMs) + min * (max / min) ** this.#random.next()
    this.#plans = sortPlans([...this.#plans, { atMs: clock.toMarketMs(rugMs), rug: { userId, tokenId } }])
  }
}

function sortPlans(plans: Plan[]): Plan[] {
  return plans.sort((a, b) => b.atMs - a.atMs)
}

/** Returns how much market time passes in one ms of the history. */
function computeSpeed(atMs: number, endMs: number): number {
  const rhythm = 1 + SWING * Math.cos(((atMs - BUSIEST_MS) / DAY_MS) * 2 * Math.PI)
  const slow = rhythm / SLOWNESS
  return slow + (1 - slow) * Math.exp((atMs - endMs) / RAMP_MS)
}
