import type { Timers } from '../../src/clock.ts'

interface Wait {
  readonly atMs: number
  work(): void
}

/** Timers whose time passes only when a test calls `pass`. */
export class ManualTimers implements Timers {
  readonly #waits = new Set<Wait>()
  #onWait = () => {}
  #nowMs = 0

  every(ms: number, work: () => void): () => void {
    const repeat = () => {
      cancel = this.after(ms, repeat)
      work()
    }
    let cancel = this.after(ms, repeat)
    return () => cancel()
  }

  after(ms: number, work: () => void): () => void {
    const wait = { atMs: this.#nowMs + ms, work }
    this.#waits.add(wait)
    this.#onWait()
    return () => this.#waits.delete(wait)
  }

  monotonic(): number {
    return this.#nowMs
  }

  /** Resolves once a timer waits. */
  async untilAwaited(): Promise<void> {
    if (this.#waits.size > 0) return
    await new Promise<void>((resolve) => {
      this.#onWait = resolve
    })
  }

  /** Lets time pass, and runs the due timers in order. */
  pass(ms: number): void {
    const endMs = this.#nowMs + ms
    for (;;) {
      const due = [...this.#waits].filter(({ atMs }) => atMs <= endMs)
      const next = due.sort((one, other) => one.atMs - other.atMs)[0]
      if (next === undefined) break
      this.#waits.delete(next)
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.work()
    }
    this.#nowMs = endMs
  }
}
