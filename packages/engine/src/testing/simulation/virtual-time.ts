/** Immediates queued at once: promises settle between two of them, and a turn of the real event loop is paid once for all. */
const STEPS_PER_TURN = 64

interface Step {
  readonly atMs: number
  readonly order: number
  run: (() => void) | null
}

/** Runs steps in the order of a clock that stands still meanwhile. The same steps always run in the same order. */
export class VirtualTime {
  /** A binary heap by time and order. */
  readonly #steps: Step[] = []
  #count = 0
  #nowMs = 0

  get nowMs(): number {
    return this.#nowMs
  }

  /** Returns what cancels the step. */
  after(ms: number, run: () => void): () => void {
    const step: Step = { atMs: this.#nowMs + Math.max(0, ms), order: this.#count++, run }
    this.#push(step)
    return () => {
      step.run = null
    }
  }

  /** Runs all steps until a moment, and every promise that they settle. Rejects with what a step throws. */
  async runUntil(endMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let isOver = false
    const step = (): void => {
      if (isOver) return
      try {
        isOver = !this.#runNext(endMs)
        if (isOver) resolve()
      } catch (error) {
        isOver = true
        reject(error)
      }
    }
    const turn = (): void => {
      if (isOver) return
      for (let i = 0; i < STEPS_PER_TURN; i++) setImmediate(step)
      setImmediate(turn)
    }
    turn()
    await promise
    this.#nowMs = endMs
  }

  /** Returns false if no step is due. */
  #runNext(endMs: number): boolean {
    for (;;) {
      const next = this.#steps[0]
      if (next === undefined || next.atMs > endMs) return false
      this.#pop()
      if (next.run === null) continue
      this.#nowMs = next.atMs
      next.run()
      return true
    }
  }

  #push(step: Step): void {
    const steps = this.#steps
    let at = steps.push(step) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (isBefore(steps[parent] as Step, step)) break
      steps[at] = steps[parent] as Step
      at = parent
    }
    steps[at] = step
  }

  #pop(): void {
    const steps = this.#steps
    const last = steps.pop() as Step
    if (steps.length === 0) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= steps.length) break
      if (child + 1 < steps.length && isBefore(steps[child + 1] as Step, steps[child] as Step)) child++
      if (isBefore(last, steps[child] as Step)) break
      steps[at] = steps[child] as Step
      at = child
    }
    steps[at] = last
  }
}

function isBefore(a: Step, b: Step): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}
