import { DomainError } from '../errors.ts'
import type { MarketEvent } from '../market-events.ts'
import type { PendingOrder, Receipt } from '../pending-order.ts'
import type { BatchReads } from '../sql/read.ts'
import { applyOrder } from './apply-order.ts'
import { BatchChanges, type BatchRun } from './changes.ts'
import { eventsOf } from './events.ts'
import type { Market } from './market.ts'

/** What became of one order of a batch. */
type Outcome =
  | { readonly pending: PendingOrder; readonly receipt: Receipt }
  | { readonly pending: PendingOrder; readonly refusal: DomainError }

/** Orders that were applied to a market, and are still to be written. */
export interface AppliedBatch {
  readonly outcomes: readonly Outcome[]
  readonly changes: BatchChanges
}

/** Applies orders one after another; one that breaks a rule is refused alone. */
export function applyBatch(
  market: Market,
  orders: readonly PendingOrder[],
  { reads, nowMs }: { readonly reads: BatchReads; readonly nowMs: number },
): AppliedBatch {
  const run: BatchRun = { market, changes: new BatchChanges(), reads, nowMs }
  return { outcomes: orders.map((pending) => outcomeOf(run, pending)), changes: run.changes }
}

/**
 * Tells of a batch that is committed, and answers it. Events leave before the answers, so who asks right after an answer
 * finds the feed ahead of it. Never throws: what is committed is answered, even if it cannot be told of.
 */
export function answerBatch(
  { outcomes, changes }: AppliedBatch,
  tell: { publish(events: readonly MarketEvent[]): void; failed(error: unknown): void },
): void {
  try {
    if (!changes.isEmpty) tell.publish(eventsOf(changes))
  } catch (error) {
    tell.failed(error)
  }
  for (const outcome of outcomes) {
    if ('receipt' in outcome) outcome.pending.resolve(outcome.receipt)
    else outcome.pending.reject(outcome.refusal)
  }
}

function outcomeOf(run: BatchRun, pending: PendingOrder): Outcome {
  const entries = run.changes.journal.length
  try {
    const receipt = applyOrder(run, pending)
    if (run.changes.journal.length === entries) noteUnchanged(run, pending)
    return { pending, receipt }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    noteUnchanged(run, pending)
    return { pending, refusal: error }
  }
}

/** What an order was answered from, though it changed nothing. */
function noteUnchanged({ market, changes }: BatchRun, { order }: PendingOrder): void {
  const account = market.account(order.userId)
  if (account !== undefined) changes.refusedBy.accounts.set(account.userId, account)
  const pool = order.kind === 'launch' ? undefined : market.pool(order.tokenId)
  if (pool !== undefined) changes.refusedBy.pools.set(pool.tokenId, pool)
}
