import type { Runtime } from '../../lead/runtime.ts'
import type { Chance } from './chance.ts'
import type { VirtualTime } from './virtual-time.ts'

/** One turn of the event loop. */
const TURN_MS = 0.02

/** A process with a clock of its own. It may be frozen, as by SIGSTOP, and killed. */
export class SimulatedProcess {
  readonly #time: VirtualTime
  /** Its clock has its own zero, and runs up to a hundredth too fast or too slow. */
  readonly #zeroMs: number
  readonly #rate: number
  #isFrozen = false
  #isKilled = false
  /** Queued while it was frozen. The event loop runs expired timers first. */
  #timers: (() => void)[] = []
  #arrivals: (() => void)[] = []
  readonly runtime: Runtime

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time
    this.#zeroMs = chance.between(-1e7, 1e7)
    this.#rate = chance.between(0.99, 1.01)
    this.runtime = {
      nowMs: () => this.#zeroMs + this.#rate * this.#time.nowMs,
      random: chance.next,
      after: (ms, run) => this.#time.after(Math.max(TURN_MS, ms / this.#rate), () => this.#meet(this.#timers, run)),
      nextTurn: (run) => void this.#time.after(TURN_MS, () => this.#meet(this.#arrivals, run)),
    }
  }

  get isKilled(): boolean {
    return this.#isKilled
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  /** Runs what the outside world sends to this process. */
  arrive(run: () => void): void {
    this.#meet(this.#arrivals, run)
  }

  kill(): void {
    this.#isKilled = true
    this.#timers = []
    this.#arrivals = []
  }

  freeze(): void {
    this.#isFrozen = true
  }

  thaw(): void {
    this.#isFrozen = false
    const waiting = [...this.#timers.splice(0), ...this.#arrivals.splice(0)]
    for (const [i, run] of waiting.entries()) {
      this.#time.after(i * 0.001, () => this.#meet(this.#arrivals, run))
    }
  }

  #meet(waiting: (() => void)[], run: () => void): void {
    if (this.#isKilled) return
    if (this.#isFrozen) waiting.push(run)
    else run()
  }
}
