import type pg from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '../../../clock.ts'
import type { MarketEvent } from '../../../events/event.ts'
import { BusyError, OutcomeUnknownError } from '../errors.ts'
import { type BatchResult, runBatch } from './batch.ts'
import type { BatchChanges } from './batch-changes.ts'
import { eventsOf } from './events-of.ts'
import { type LockMode, rollback } from './read-store.ts'
import { connectionSurvives, remedyFor } from './recover.ts'
import { prepareSession } from './session.ts'
import type { Ticket } from './ticket.ts'

/** How often a batch is run again after a deadlock or a serialization failure. */
const ATTEMPTS_MAX = 4

interface Attempt {
  readonly count: number
  readonly lockMode: LockMode
}
const FIRST_ATTEMPT: Attempt = { count: 1, lockMode: 'wait' }

interface RunnerParts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Logger
  publish(events: readonly MarketEvent[]): void
}

/** Runs batches on one connection of its own and sees to it that every order of a batch gets its answer. */
export class BatchRunner {
  readonly #parts: RunnerParts
  #client: pg.PoolClient | null = null

  constructor(parts: RunnerParts) {
    this.#parts = parts
  }

  /** Never rejects: whatever happens, each ticket is resolved or rejected before this returns. */
  async run(tickets: readonly Ticket[], attempt: Attempt = FIRST_ATTEMPT): Promise<void> {
    let result: BatchResult
    try {
      const client = await this.#connection()
      result = await runBatch(client, tickets, { clock: this.#parts.clock, lockMode: attempt.lockMode })
    } catch (error) {
      await this.#giveBack(error)
      return await this.#recover(tickets, attempt, error)
    }
    // Outside: what is committed must never be run again, whatever telling of it does.
    this.#answer(result)
  }

  /** Whether the next batch finds a connection that, for all that is known, works. */
  get isConnected(): boolean {
    return this.#client !== null
  }

  /** Sees to a connection for the next batch. Never rejects; false where there is none to be had. */
  async connect(): Promise<boolean> {
    try {
      await this.#connection()
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'no connection for a batch')
    }
    return this.isConnected
  }

  async close(): Promise<void> {
    if (this.#client !== null) this.#discard(this.#client)
  }

  /** Events leave before the answers, so who asks right after an answer finds the feed ahead of it. */
  #answer({ outcomes, changes }: BatchResult): void {
    this.#publish(changes)
    for (const outcome of outcomes) {
      if ('receipt' in outcome) outcome.ticket.resolve(outcome.receipt)
      else outcome.ticket.reject(outcome.refusal)
    }
  }

  /** What is committed is answered, even if it cannot be told of: the journal's poll tells it then. */
  #publish(changes: BatchChanges): void {
    try {
      this.#parts.publish(eventsOf(changes))
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a batch could not be told of')
    }
  }

  async #recover(tickets: readonly Ticket[], attempt: Attempt, error: unknown): Promise<void> {
    const remedy = remedyFor(error)
    this.#parts.log.warn({ err: error, orders: tickets.length, remedy, attempt: attempt.count }, 'a batch failed')
    if (remedy === 'retry' && attempt.count < ATTEMPTS_MAX) {
      return this.run(tickets, { ...attempt, count: attempt.count + 1 })
    }
    if (remedy === 'skip-locked' && attempt.lockMode === 'wait')
      return this.run(tickets, { ...attempt, lockMode: 'skip' })
    if ((remedy === 'halve' || remedy === 'bug') && tickets.length > 1) return this.#halve(tickets)
    for (const ticket of tickets) {
      if (remedy === 'unknown') ticket.reject(new OutcomeUnknownError(ticket.requestKey))
      else ticket.reject(remedy === 'halve' || remedy === 'bug' ? error : new BusyError())
    }
  }

  async #halve(tickets: readonly Ticket[]): Promise<void> {
    const middle = tickets.length >> 1
    await this.run(tickets.slice(0, middle))
    await this.run(tickets.slice(middle))
  }

  async #connection(): Promise<pg.PoolClient> {
    if (this.#client !== null) return this.#client
    const client = await this.#parts.pool.connect()
    this.#client = client
    // A connection that breaks while idle is replaced by the next batch, not found broken by it.
    client.once('end', () => this.#discard(client))
    await prepareSession(client)
    return client
  }

  /** After a failure: a connection that answers is rolled back and kept, any other is thrown away. */
  async #giveBack(error: unknown): Promise<void> {
    const client = this.#client
    if (client === null) return
    if (connectionSurvives(error) && (await rolledBack(client))) return
    this.#discard(client)
  }

  /** Back to the pool to be closed; a client is given back once, whoever notices first. */
  #discard(client: pg.PoolClient): void {
    if (this.#client !== client) return
    this.#client = null
    client.release(true)
  }
}

async function rolledBack(client: pg.ClientBase): Promise<boolean> {
  try {
    await rollback(client)
    return true
  } catch {
    return false
  }
}
