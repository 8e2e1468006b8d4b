import type { Logger } from 'pino'

const FIRST_DELAY_MS = 200
const DELAY_MAX_MS = 10_000
/** A worker that lived for so long did not fail at its start: the next delay is the first one again. */
const STEADY_MS = 60_000

/** How a process ended. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A process of this server that serves players. */
export interface WorkerProcess {
  readonly pid: number | undefined
  /** Resolves when it listens; never if it ends before. */
  readonly ready: Promise<void>
  /** Resolves when it has ended. */
  readonly ended: Promise<WorkerEnd>
  kill(signal: NodeJS.Signals): void
}

export interface WorkerPoolParts {
  readonly count: number
  /** Starts the worker of a place, from 1 on. */
  fork(place: number): WorkerProcess
  readonly log: Pick<Logger, 'warn' | 'info'>
  /** Milliseconds of a monotonic clock. */
  now?(): number
  /** Calls back after a delay; returns how to cancel that. */
  later?(delayMs: number, call: () => void): () => void
}

/** Keeps a number of workers running: one that ends is started again, after a delay that doubles up to ten seconds. */
export class WorkerPool {
  readonly #parts: Required<WorkerPoolParts>
  readonly #running = new Map<number, WorkerProcess>()
  readonly #cancels = new Set<() => void>()
  /** Places whose worker has served: only those are started again. */
  readonly #served = new Set<number>()
  #isStopping = false

  constructor(parts: WorkerPoolParts) {
    this.#parts = { now: () => performance.now(), later: callLater, ...parts }
  }

  /**
   * Starts the first worker, and the others once it listens: a port that is in use is refused once. Rejects if one ends before it
   * listens.
   */
  async start(): Promise<void> {
    await this.#startFirst(1)
    await Promise.all(Array.from({ length: this.#parts.count - 1 }, (_, index) => this.#startFirst(index + 2)))
  }

  /** Sends a signal that ends workers, none of which is started again. Resolves when all have ended. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true
    for (const cancel of this.#cancels) cancel()
    const workers = [...this.#running.values()]
    for (const worker of workers) worker.kill(signal)
    await Promise.all(workers.map(({ ended }) => ended))
  }

  async #startFirst(place: number): Promise<void> {
    if (this.#isStopping) return
    const worker = this.#fork(place, 0)
    await Promise.race([worker.ready, worker.ended.then(() => this.#assertStopping(place))])
  }

  #assertStopping(place: number): void {
    if (!this.#isStopping) throw new WorkerStartError(`process ${place} ended before it served`)
  }

  #fork(place: number, failures: number): WorkerProcess {
    const { fork, now } = this.#parts
    const startMs = now()
    const worker = fork(place)
    this.#running.set(place, worker)
    void worker.ready.then(() => this.#served.add(place))
    void worker.ended.then((end) => {
      this.#running.delete(place)
      if (this.#isStopping || !this.#served.has(place)) return
      this.#restart({ place, end, failures: now() - startMs < STEADY_MS ? failures : 0 })
    })
    return worker
  }

  #restart({
    place,
    end,
    failures,
  }: {
    readonly place: number
    readonly end: WorkerEnd
    readonly failures: number
  }): void {
    const { log, later } = this.#parts
    const delayMs = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** failures)
    log.warn({ process: place, ...end, delayMs }, 'a process of this server ended and is started again')
    const cancel = later(delayMs, () => {
      this.#cancels.delete(cancel)
      this.#fork(place, failures + 1)
    })
    this.#cancels.add(cancel)
  }
}

/** A worker that could not start; it has said why. */
export class WorkerStartError extends Error {}

function callLater(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(call, delayMs)
  return () => clearTimeout(timer)
}
