/** Max subscribers written to in one step, unless that makes more than STEPS_MAX steps. Each takes some 10 µs. */
const TOGETHER_MAX = 64
/** Max steps of a round. */
const STEPS_MAX = 32
/** After a round, orders and reads get this many times what its steps took. */
const REST_FACTOR = 4
/** Max delay of an event by such a rest. */
const REST_MAX_MS = 250

/**
 * Writes to subscribers in rounds of a few steps, each in a turn of the event loop: otherwise a few thousand watchers of a
 * traded token would hold up its orders. Events that come between two rounds reach a subscriber together, in one write.
 */
export class PacedRounds {
  #restsUntilMs = 0

  /** Calls `start` at the end of this turn of the event loop, or after the rest. Returns its timer, if there is one. */
  schedule(start: () => void): NodeJS.Timeout | undefined {
    const restMs = this.#restsUntilMs - performance.now()
    if (restMs > 0) return setTimeout(start, restMs)
    // The events of a batch arrive in one turn: together they make one round.
    queueMicrotask(start)
    return undefined
  }

  /**
   * Writes to `count` subscribers, one at each step of `writes`, then calls `end`. `isSpread`: what is written can wait, so the
   * rest is taken between the steps.
   */
  run(writes: Iterator<void>, count: number, end: () => void, { isSpread = false } = {}): void {
    const together = Math.max(TOGETHER_MAX, Math.ceil(count / STEPS_MAX))
    const restMaxMs = isSpread ? (REST_MAX_MS * together) / Math.max(count, together) : REST_MAX_MS
    let busyMs = 0
    const step = () => {
      const startedMs = performance.now()
      let isOver = false
      for (let written = 0; written < together && !isOver; written++) isOver = writes.next().done === true
      const nowMs = performance.now()
      busyMs = nowMs - startedMs + (isSpread ? 0 : busyMs)
      const restMs = Math.min(REST_FACTOR * busyMs, restMaxMs)
      if (!isOver) return isSpread ? setTimeout(step, restMs) : setImmediate(step)
      this.#restsUntilMs = nowMs + restMs
      end()
    }
    step()
  }
}
