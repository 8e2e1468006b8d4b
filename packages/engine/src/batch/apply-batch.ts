import { DomainError } from '../errors.ts'
import { getAccountId } from '../orders.ts'
import type { PendingOrder, Receipt } from '../pending-order.ts'
import type { BatchReads } from '../sql/read.ts'
import { countBatch, resumeCascade } from '../waiting/cascade.ts'
import { applyOrder, DeferredError } from './apply-order.ts'
import { BatchChanges, type BatchRun } from './changes.ts'
import { type PublishedBatch, toPublished } from './events.ts'
import type { Market } from './market.ts'

type Outcome =
  | { readonly pending: PendingOrder; readonly receipt: Receipt }
  | { readonly pending: PendingOrder; readonly refusal: DomainError }

/** Orders that were applied to a market in memory and are not written yet. */
export interface AppliedBatch {
  readonly outcomes: readonly Outcome[]
  /** Orders that a later batch takes, because they must wait for their token's cascade. */
  readonly deferred: readonly PendingOrder[]
  readonly changes: BatchChanges
}

/** Applies orders one after another. Rejects an order that breaks a rule, without an effect on the others. */
export function applyBatch(
  market: Market,
  orders: readonly PendingOrder[],
  { reads, nowMs }: { readonly reads: BatchReads; readonly nowMs: number },
): AppliedBatch {
  const run: BatchRun = { market, changes: new BatchChanges(), reads, nowMs }
  for (const tokenId of reads.ranges.keys()) resumeCascade(run, tokenId)
  const outcomes: Outcome[] = []
  const deferred: PendingOrder[] = []
  for (const pending of orders) {
    const outcome = tryOrder(run, pending)
    if (outcome === null) deferred.push(pending)
    else outcomes.push(outcome)
  }
  for (const tokenId of reads.ranges.keys()) countBatch(run, tokenId)
  return { outcomes, deferred, changes: run.changes }
}

/** Returns whether any order repeats an earlier order and gets its response. */
export function hasRepeats({ outcomes }: AppliedBatch): boolean {
  return outcomes.some((outcome) => 'receipt' in outcome && outcome.receipt.isRepeat)
}

/**
 * Publishes a committed batch's events, then responds to its orders, so that callers who read right after the response
 * see the events. The orders get their responses even if publishing fails.
 */
export function respondToBatch(
  { outcomes, changes }: AppliedBatch,
  report: {
    publish(batch: PublishedBatch): void
    /** A callback before the orders get their responses. */
    published(): void
    failed(error: unknown): void
  },
): void {
  try {
    const batch = toPublished(changes)
    if (batch !== null) report.publish(batch)
    report.published()
  } catch (error) {
    report.failed(error)
  }
  for (const outcome of outcomes) {
    if ('receipt' in outcome) outcome.pending.resolve(outcome.receipt)
    else outcome.pending.reject(outcome.refusal)
  }
}

/** Returns an order's outcome; null if the order must wait for a cascade. */
function tryOrder(run: BatchRun, pending: PendingOrder): Outcome | null {
  const entries = run.changes.journal.length
  try {
    const receipt = applyOrder(run, pending)
    if (run.changes.journal.length === entries) recordUnmodified(run, pending)
    return { pending, receipt }
  } catch (error) {
    if (error instanceof DeferredError) return null
    if (!(error instanceof DomainError)) throw error
    recordUnmodified(run, pending)
    return { pending, refusal: error }
  }
}

/** Records the unchanged rows that determined an order's response, so that the write also verifies them. */
function recordUnmodified({ market, changes }: BatchRun, { order }: PendingOrder): void {
  // Waiting orders need no check, because only locked batches place and cancel them.
  if (order.kind === 'place' || order.kind === 'cancel') return
  const account = market.account(getAccountId(order))
  if (account !== undefined) changes.unmodified.accounts.set(account.id, account)
  const pool = order.kind === 'launch' ? undefined : market.pool(order.tokenId)
  if (pool !== undefined) changes.unmodified.pools.set(pool.tokenId, pool)
}
