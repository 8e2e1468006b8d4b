import { performance } from 'node:perf_hooks'
import type { AppliedBatch } from './batch/apply-batch.ts'

/** The times when a batch was sent to PostgreSQL and committed, in ms of the monotonic clock. */
export interface BatchTimes {
  readonly mode: 'optimistic' | 'locked'
  /** Time when the batch was sent to PostgreSQL. Null if no order changed anything. */
  readonly sentMs: number | null
  readonly endMs: number
}

export interface BatchFigures {
  readonly mode: BatchTimes['mode']
  readonly orders: number
  /** Number of orders that the engine rejected because they broke a rule. */
  readonly refused: number
  /** Longest time that an order waited in the queue, in seconds. */
  readonly queueSeconds: number
  /** How long PostgreSQL took for the batch, including the commit, in seconds. Null if nothing was written. */
  readonly commitSeconds: number | null
}

/** Callbacks for metrics about an engine. They must not throw. */
export interface EngineObserver {
  /** Called for each batch that was committed or had nothing to write. */
  onBatch(figures: BatchFigures): void
  /** Called for each failed order. */
  onRejected(error: unknown): void
}

export function toBatchFigures({ outcomes }: AppliedBatch, { mode, sentMs, endMs }: BatchTimes): BatchFigures {
  let refused = 0
  let queueMs = 0
  for (const outcome of outcomes) {
    if ('refusal' in outcome) refused++
    const { queuedAtMs, takenMs } = outcome.pending
    if (takenMs - queuedAtMs > queueMs) queueMs = takenMs - queuedAtMs
  }
  return {
    mode,
    orders: outcomes.length,
    refused,
    queueSeconds: queueMs / 1_000,
    commitSeconds: sentMs === null ? null : (endMs - sentMs) / 1_000,
  }
}

/** Records the steps of the batch's traced orders, after the batch's events were published. */
export function recordSteps({ outcomes }: AppliedBatch, { mode, sentMs, endMs }: BatchTimes): void {
  for (const outcome of outcomes) {
    const { trace, queuedAtMs, takenMs } = outcome.pending
    if (trace === null) continue
    const attributes = { 'papermoon.batch.orders': outcomes.length, 'papermoon.batch.mode': mode }
    trace.record({ name: 'queue', startMs: queuedAtMs, endMs: takenMs })
    trace.record({ name: 'batch', startMs: takenMs, endMs: sentMs ?? endMs, attributes })
    if (sentMs !== null) trace.record({ name: 'commit', startMs: sentMs, endMs })
    if (sentMs === null || 'refusal' in outcome) continue
    // Publishing has queued a microtask that writes to sockets and event streams. It runs before the microtask that is
    // queued here.
    const startMs = performance.now()
    queueMicrotask(() => trace.record({ name: 'events', startMs, endMs: performance.now() }))
  }
}
