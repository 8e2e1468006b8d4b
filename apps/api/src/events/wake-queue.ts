/** Max subscribers woken in one step, unless that makes more than STEPS_MAX steps. Each takes some 50 µs. */
const TOGETHER_MAX = 16
/** Max steps of a round. */
const STEPS_MAX = 32
/** Between two steps, for orders and reads. */
const PAUSE_MS = 2
/** After a round, orders and reads get this many times its duration. */
const REST_FACTOR = 8
/** Max delay of an event by such a rest. */
const REST_MAX_MS = 250

/**
 * Wakes subscribers in rounds of a few steps, in the order in which they asked. An event wakes all who watch its token, and
 * each then formats and sends: without pauses, a few hundred watchers of a traded token would hold up its orders. Events
 * that arrive between two rounds reach a subscriber together, in one write.
 */
export class WakeQueue {
  #waiting = new Set<() => void>()
  /** The current round. */
  #round = new Set<() => void>()
  #isScheduled = false
  /** Set during a rest that ends in a round. */
  #rest: NodeJS.Timeout | null = null
  #nextRoundAtMs = 0
  #busyMs = 0

  /** Calls `wake` once, later. It must not throw. */
  add(wake: () => void): void {
    if (!this.#round.has(wake)) this.#waiting.add(wake)
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#scheduleRound()
  }

  /** Ends a rest: a subscriber can hold few more events. */
  hurry(): void {
    if (this.#rest === null) return
    clearTimeout(this.#rest)
    this.#rest = null
    queueMicrotask(() => this.#startRound())
  }

  /** Forgets a subscriber that has been woken otherwise. */
  remove(wake: () => void): void {
    this.#waiting.delete(wake)
    this.#round.delete(wake)
  }

  #scheduleRound(): void {
    const restMs = this.#nextRoundAtMs - performance.now()
    if (restMs > 0) this.#rest = setTimeout(() => this.#startRound(), restMs)
    // The events of a batch arrive in one turn: together they wake a subscriber once.
    else queueMicrotask(() => this.#startRound())
  }

  #startRound(): void {
    this.#rest = null
    this.#round = this.#waiting
    this.#waiting = new Set()
    this.#busyMs = 0
    this.#wakeSome(Math.max(TOGETHER_MAX, Math.ceil(this.#round.size / STEPS_MAX)))
  }

  #wakeSome(count: number): void {
    const startedMs = performance.now()
    let left = count
    for (const wake of this.#round) {
      if (left-- === 0) break
      this.#round.delete(wake)
      wake()
    }
    // The next tick follows the promises of all who were woken.
    process.nextTick(() => {
      this.#busyMs += performance.now() - startedMs
      if (this.#round.size > 0) setTimeout(() => this.#wakeSome(count), PAUSE_MS)
      else this.#endRound()
    })
  }

  #endRound(): void {
    this.#nextRoundAtMs = performance.now() + Math.min(REST_FACTOR * this.#busyMs, REST_MAX_MS)
    if (this.#waiting.size > 0) this.#scheduleRound()
    else this.#isScheduled = false
  }
}
