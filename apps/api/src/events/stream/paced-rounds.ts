import { systemTimers, type Timers } from '@papermoon/engine'

/**
 * Max number of subscribers written to in one step, which takes about 10 µs each. With many subscribers, steps are
 * larger, so that a round has at most `stepsMax` steps.
 */
const TOGETHER_MAX = 64
/** Max time in ms that a pause delays an event. */
const REST_MAX_MS = 250

/** Max number of steps per round, and the pause after a round as a multiple of the time of its steps. */
interface Pace {
  readonly stepsMax: number
  readonly restFactor: number
}

/** Pace for trades. With `SPREAD`, watchers would get half as many events per second (`npm run bench -- fanout`). */
const PROMPT: Pace = { stepsMax: 8, restFactor: 1 }
/** Pace for posts, which can wait. */
const SPREAD: Pace = { stepsMax: 32, restFactor: 4 }

/**
 * Writes to subscribers in rounds of a few steps, each in its own turn of the event loop. Otherwise, a few thousand
 * watchers of a token would delay its orders. A subscriber gets all events between two rounds in one write.
 */
export class PacedRounds {
  readonly #timers: Timers
  #restsUntilMs = 0

  constructor(timers = systemTimers) {
    this.#timers = timers
  }

  /**
   * Calls `start` at the end of this turn of the event loop, or after the pause. Returns a function that cancels a
   * pause.
   */
  schedule(start: () => void): (() => void) | undefined {
    const restMs = this.#restsUntilMs - this.#timers.monotonic()
    if (restMs > 0) return this.#timers.after(restMs, start)
    // A batch's events arrive in one turn, so wait for all of them and send them in one round.
    queueMicrotask(start)
    return undefined
  }

  /**
   * Writes to `count` subscribers, one per step of `writes`, then calls `end`. With `isSpread`, it pauses between the
   * steps, because the events can wait.
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
