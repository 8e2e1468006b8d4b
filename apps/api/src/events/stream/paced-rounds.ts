import { systemTimers, type Timers } from '@papermoon/engine'

/** Max subscribers written to in one step, unless that makes more steps than the pace allows. Each takes some 10 µs. */
const TOGETHER_MAX = 64
/** Max delay of an event by a rest. */
const REST_MAX_MS = 250

/** How many steps a round has at most, and how many times as long as its steps took it rests, for orders and reads. */
interface Pace {
  readonly stepsMax: number
  readonly restFactor: number
}

/** With the other pace, watchers got half as many events of trades in a second (`npm run bench -- fanout`). */
const PROMPT: Pace = { stepsMax: 8, restFactor: 1 }
/** Posts can wait. */
const SPREAD: Pace = { stepsMax: 32, restFactor: 4 }

/**
 * Writes to subscribers in rounds of a few steps, each in a turn of the event loop: otherwise a few thousand watchers of a
 * traded token would hold up its orders. Events that come between two rounds reach a subscriber together, in one write.
 */
export class PacedRounds {
  readonly #timers: Timers
  #restsUntilMs = 0

  constructor(timers = systemTimers) {
    this.#timers = timers
  }

  /** Calls `start` at the end of this turn of the event loop, or after the rest. Returns what cancels the wait, if there is one. */
  schedule(start: () => void): (() => void) | undefined {
    const restMs = this.#restsUntilMs - this.#timers.monotonic()
    if (restMs > 0) return this.#timers.after(restMs, start)
    // The events of a batch arrive in one turn: together they make one round.
    queueMicrotask(start)
    return undefined
  }

  /**
   * Writes to `count` subscribers, one at each step of `writes`, then calls `end`. `isSpread`: what is written can wait, so the
   * rest is taken between the steps.
   */
  run(writes: Iterator<void>, count: number, end: () => void, { isSpread = false } = {}): void {
    const { stepsMax, restFactor } = isSpread ? SPREAD : PROMPT
    const together = Math.max(TOGETHER_MAX, Math.ceil(count / stepsMax))
    const restMaxMs = isSpread ? (REST_MAX_MS * together) / Math.max(count, together) : REST_MAX_MS
    let busyMs = 0
    const step = () => {
      const startedMs = this.#timers.monotonic()
      let isOver = false
      for (let written = 0; written < together && !isOver; written++) isOver = writes.next().done === true
      const nowMs = this.#timers.monotonic()
      busyMs = nowMs - startedMs + (isSpread ? 0 : busyMs)
      const restMs = Math.min(restFactor * busyMs, restMaxMs)
      if (!isOver) return isSpread ? this.#timers.after(restMs, step) : setImmediate(step)
      this.#restsUntilMs = nowMs + restMs
      end()
    }
    step()
  }
}
