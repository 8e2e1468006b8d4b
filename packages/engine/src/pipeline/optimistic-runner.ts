import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type AppliedBatch, applyBatch } from '../batch/apply-batch.ts'
import type { Market } from '../batch/market.ts'
import type { Clock } from '../clock.ts'
import { BusyError, OutcomeUnknownError } from '../errors.ts'
import type { Ticket } from '../pending-order.ts'
import { EngineConnection } from '../sql/connection.ts'
import { missingRows } from '../sql/missing-rows.ts'
import { type BatchReadings, type LockMode, readUnlocked } from '../sql/read.ts'
import { writeChanges } from '../sql/write.ts'
import { type WriteColumns, writeColumns } from '../sql/write-columns.ts'
import { CommitUnansweredError, isStale, remedyFor } from './failures.ts'
import type { LockedRunner } from './locked-runner.ts'
import { MarketMemory } from './market-cache.ts'

/** How long batches run under locks after somebody else was found at the same rows, or after a failure. */
const CAUTIOUS_MS = 1_000
/** What is read is read by keys; whoever does not answer in this time is not waited for. */
const READ_MAX_MS = 2_000

/** A batch that was applied to what is remembered, ready to be sent. */
export interface RememberedBatch extends AppliedBatch {
  readonly epoch: number
  readonly columns: WriteColumns
}

interface Parts {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly log: Logger
  readonly writer: EngineConnection
  readonly locked: LockedRunner
  answer(batch: AppliedBatch): void
}

/**
 * Batches of buys and sales on what this process remembers of the market, each written by one statement on condition that
 * everything is still so. Where it is not, or anything else is in the way, the orders run again under locks.
 */
export class RememberedBatches {
  readonly #parts: Parts
  readonly #memory = new MarketMemory()
  /** Reads what is not remembered while the other connection writes. */
  readonly #reader: EngineConnection
  #cautiousUntilMs = 0
  /** Until when nobody waits for rows that somebody holds. */
  #impatientUntilMs = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.#reader = new EngineConnection(parts)
  }

  /**
   * Applies orders on top of all batches before; null where they have to run under locks. Never rejects. `settled` tells when
   * nothing is being written.
   */
  async apply(tickets: readonly Ticket[], settled: () => Promise<void>): Promise<RememberedBatch | null> {
    if (performance.now() < this.#cautiousUntilMs || !tickets.every(isTrade)) return null
    if (this.#memory.isFull) {
      await settled()
      this.#memory.forgetAll()
    }
    const { epoch, market } = this.#memory
    const add = await this.#read(tickets)
    if (add === null || epoch !== this.#memory.epoch) return null
    try {
      const batch = applyBatch(market, tickets, { readings: add(market), nowMs: this.#parts.clock.now().getTime() })
      return { ...batch, epoch, columns: writeColumns(batch.changes) }
    } catch (error) {
      this.#parts.log.error({ err: error, orders: tickets.length }, 'a batch could not be applied')
      this.#memory.forgetAll()
      return null
    }
  }

  /** Whether what the batch rests on was not forgotten since. */
  stands({ epoch }: RememberedBatch): boolean {
    return epoch === this.#memory.epoch
  }

  /** Writes and commits. Never rejects; returns how to answer, once it is committed or all its orders ran in another way. */
  async write(tickets: readonly Ticket[], batch: RememberedBatch): Promise<() => void> {
    try {
      const client = await this.#parts.writer.client()
      await writeChanges(client, batch.changes, batch.columns).catch((error: unknown) => {
        throw new CommitUnansweredError(error)
      })
    } catch (error) {
      await this.#recover(tickets, error)
      return () => {}
    }
    return () => this.#parts.answer(batch)
  }

  /** Runs orders under locks, while nothing is being written. Never rejects. */
  async runLocked(tickets: readonly Ticket[], mode: LockMode = this.#lockMode()): Promise<void> {
    const isHeld = await this.#parts.locked.run(tickets, { count: 1, mode })
    if (isHeld) this.#beImpatient()
    this.#memory.forget(tickets)
  }

  forgetAll(): void {
    this.#memory.forgetAll()
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #recover(tickets: readonly Ticket[], error: unknown): Promise<void> {
    const remedy = remedyFor(error)
    this.#parts.log.warn({ err: error, orders: tickets.length, remedy }, 'a remembered batch failed')
    this.#memory.forgetAll()
    if (isStale(error)) this.#beCautious()
    await this.#parts.writer.recover(error)
    if (remedy === 'unknown') for (const ticket of tickets) ticket.reject(new OutcomeUnknownError(ticket.requestKey))
    else if (remedy === 'busy') for (const ticket of tickets) ticket.reject(new BusyError())
    else {
      if (remedy === 'skip-locked') this.#beImpatient()
      await this.runLocked(tickets)
      this.#memory.forgetAll()
    }
  }

  /** Null where it takes too long, or fails. */
  async #read(tickets: readonly Ticket[]): Promise<((market: Market) => BatchReadings) | null> {
    const wanted = { rows: missingRows(this.#memory.market, tickets), tickets }
    try {
      return await inTime(
        readUnlocked(() => this.#reader.client(), wanted),
        READ_MAX_MS,
      )
    } catch (error) {
      this.#parts.log.warn({ err: error, orders: tickets.length }, 'a batch could not be read')
      await this.#reader.recover(error)
      this.#beCautious()
      return null
    }
  }

  #beCautious(): void {
    this.#cautiousUntilMs = performance.now() + CAUTIOUS_MS
  }

  /** As long as rows are held, nobody waits for them again. */
  #beImpatient(): void {
    this.#impatientUntilMs = performance.now() + CAUTIOUS_MS
    this.#beCautious()
  }

  #lockMode(): LockMode {
    return performance.now() < this.#impatientUntilMs ? 'skip' : 'wait'
  }
}

function isTrade({ order }: Ticket): boolean {
  return order.kind === 'buy' || order.kind === 'sell'
}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('timeout of a read')), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
