/** So few are woken together. */
const TOGETHER_MAX = 64
/** However many wait, they are woken in at most this many steps. */
const STEPS_MAX = 8
/** Between two steps, for orders and reads. */
const PAUSE_MS = 2

/**
 * Wakes subscribers in steps, in the order in which they asked. An event wakes all who watch its token, and each then formats
 * and sends: without pauses, a few hundred watchers of a traded token would hold up its orders. What happens meanwhile
 * reaches those who wait along with what woke them.
 */
export class WakeQueue {
  readonly #waiting = new Set<() => void>()
  /** How many the current steps wake at once. */
  #step = TOGETHER_MAX
  #isScheduled = false

  /** Calls `wake` once, later. It must not throw. */
  add(wake: () => void): void {
    this.#waiting.add(wake)
    if (this.#isScheduled) return
    this.#isScheduled = true
    // The events of a batch arrive in one turn: together they wake a subscriber once.
    queueMicrotask(() => {
      this.#step = TOGETHER_MAX
      this.#wakeSome()
    })
  }

  /** Forgets a subscriber that has been woken otherwise. */
  remove(wake: () => void): void {
    this.#waiting.delete(wake)
  }

  #wakeSome(): void {
    this.#step = Math.max(this.#step, Math.ceil(this.#waiting.size / STEPS_MAX))
    let left = this.#step
    for (const wake of this.#waiting) {
      if (left-- === 0) break
      this.#waiting.delete(wake)
      wake()
    }
    if (this.#waiting.size > 0) setTimeout(() => this.#wakeSome(), PAUSE_MS)
    else this.#isScheduled = false
  }
}
