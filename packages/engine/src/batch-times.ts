import { performance } from 'node:perf_hooks'
import type { AppliedBatch } from './batch/apply-batch.ts'

/** When a batch that is committed, or had nothing to write, was sent to PostgreSQL. In ms of the monotonic clock. */
export interface BatchTimes {
  readonly mode: 'optimistic' | 'locked'
  /** Null: no order changed anything, so nothing was written. */
  readonly sentMs: number | null
  readonly endMs: number
}

/** A batch that was answered, for metrics. */
export interface BatchFigures {
  readonly mode: BatchTimes['mode']
  readonly orders: number
  /** Number of these orders that a rule forbade. */
  readonly refused: number
  /** Longest wait of its orders in the queue. */
  readonly queueSeconds: number
  /** From sending it to PostgreSQL to the end of the commit; null if nothing was written. */
  readonly commitSeconds: number | null
}

/** Watches an engine, for metrics. Its functions must not throw. */
export interface EngineObserver {
  /** Called for each batch that was committed, or had nothing to write. */
  onBatch(figures: BatchFigures): void
  /** Called for each order that was not done, whatever the reason. */
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

/** Records the steps of those orders of a batch that are traced. Call once its events were published. */
export function recordSteps({ outcomes }: AppliedBatch, { mode, sentMs, endMs }: BatchTimes): void {
  for (const outcome of outcomes) {
    const { trace, queuedAtMs, takenMs } = outcome.pending
    if (trace === null) continue
    const attributes = { 'papermoon.batch.orders': outcomes.length, 'papermoon.batch.mode': mode }
    trace.record({ name: 'queue', startMs: queuedAtMs, endMs: takenMs })
    trace.record({ name: 'batch', startMs: takenMs, endMs: sentMs ?? endMs, attributes })
    if (sentMs !== null) trace.record({ name: 'commit', startMs: sentMs, endMs })
    if (sentMs === null || 'refusal' in outcome) continue
    // Sockets and event streams are written to in a microtask that publishing has queued before this one.
    const startMs = performance.now()
    queueMicrotask(() => trace.record({ name: 'events', startMs, endMs: performance.now() }))
  }
}
