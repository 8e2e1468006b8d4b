import type { Logger } from 'pino'
import type { AppliedBatch } from '../batch/apply-batch.ts'
import type { Clock } from '../clock.ts'
import { OutcomeUnknownError } from '../errors.ts'
import type { BatchTimes, PendingOrder } from '../order-queue.ts'
import type { EngineConnection } from '../sql/connection.ts'
import type { LockMode } from '../sql/read.ts'
import { isKeyTaken, remedyFor } from './failures.ts'
import { type BatchWork, type LockedBatch, runLockedBatch } from './locked-batch.ts'

/** Max number of attempts to run a batch after deadlocks and serialization failures. */
const ATTEMPTS_MAX = 4

interface Attempt {
  readonly count: number
  readonly mode: LockMode
  /** Whether an earlier attempt waited for locked rows until the lock timeout. */
  readonly hasWaited: boolean
}

/** Rows that a batch skipped, because other transactions had locked them. */
export interface PassedOver {
  /** Whether the batch waited for the rows until the lock timeout. */
  readonly hasWaited: boolean
  /** Known ids of the transactions that held the rows. */
  readonly holders: ReadonlySet<string>
}

interface RunnerParts {
  readonly connection: EngineConnection
  readonly clock: Clock
  readonly log: Logger
  respond(batch: AppliedBatch, times: BatchTimes): void
}

/** Runs batches that lock their rows. Every order of a batch gets a response after any failure. */
export class LockedRunner {
  readonly #parts: RunnerParts

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** Responds to each order, then resolves to the skipped rows, or to null if no rows were skipped. Never rejects. */
  async run(
    work: BatchWork,
    attempt: Attempt = { count: 1, mode: 'wait', hasWaited: false },
  ): Promise<PassedOver | null> {
    const { connection, clock } = this.#parts
    let batch: LockedBatch
    try {
      batch = await runLockedBatch(await connection.client(), work, { clock, mode: attempt.mode })
    } catch (error) {
      await connection.recover(error)
      return await this.#recover(work, attempt, error)
    }
    // Respond outside the try block, because a committed batch must never run again, even if this throws.
    this.#parts.respond(batch, batch.times)
    return batch.passedOver && { hasWaited: attempt.hasWaited, holders: batch.passedOver }
  }

  async #recover(work: BatchWork, attempt: Attempt, error: unknown): Promise<PassedOver | null> {
    const { orders } = work
    const remedy = remedyFor(error)
    this.#parts.log.warn({ err: error, orders: orders.length, remedy, attempt: attempt.count }, 'a batch failed')
    if (remedy === 'retry' && attempt.count < ATTEMPTS_MAX) {
      return this.run(work, { ...attempt, count: attempt.count + 1 })
    }
    if (remedy === 'skip-locked' && attempt.mode === 'wait')
      return this.run(work, { ...attempt, mode: 'skip', hasWaited: true })
    if ((remedy === 'halve' || remedy === 'bug') && orders.length > 1) return this.#halve(work)
    const repeat = isKeyTaken(error) ? findAsRepeat(orders) : null
    if (repeat !== null) return this.run({ ...work, orders: [repeat] }, attempt)
    for (const pending of orders) {
      if (remedy === 'unknown') pending.reject(new OutcomeUnknownError(pending.requestKey))
      else pending.reject(remedy === 'halve' || remedy === 'bug' ? error : this.#parts.connection.createRefusal())
    }
    return remedy === 'skip-locked' ? { hasWaited: true, holders: new Set() } : null
  }

  async #halve({ orders, ...more }: BatchWork): Promise<PassedOver | null> {
    const middle = orders.length >> 1
    const first = await this.run({ orders: orders.slice(0, middle), ...more })
    const second = await this.run({ orders: orders.slice(middle), ...more })
    if (first === null || second === null) return first ?? second
    return {
      hasWaited: first.hasWaited || second.hasWaited,
      holders: new Set([...first.holders, ...second.holders]),
    }
  }
}

/** If the batch is a single order with a generated key, returns the order as a repeat, and otherwise null. */
function findAsRepeat([first, ...more]: readonly PendingOrder[]): PendingOrder | null {
  return first === undefined || more.length > 0 || first.mayBeRepeat ? null : { ...first, mayBeRepeat: true }
}
