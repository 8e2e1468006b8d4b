import { DomainError } from '../errors.ts'
import type { MarketEvent } from '../market-events.ts'
import type { Receipt, Ticket } from '../pending-order.ts'
import type { BatchReadings } from '../sql/read.ts'
import { applyTicket } from './apply-order.ts'
import { BatchChanges, type BatchRun } from './changes.ts'
import { eventsOf } from './events.ts'
import type { Market } from './market.ts'

/** What became of one order of a batch. */
type Outcome =
  | { readonly ticket: Ticket; readonly receipt: Receipt }
  | { readonly ticket: Ticket; readonly refusal: DomainError }

/** Orders that were applied to a market, and are still to be written. */
export interface AppliedBatch {
  readonly outcomes: readonly Outcome[]
  readonly changes: BatchChanges
}

/** Applies orders one after another; one that breaks a rule is refused alone. */
export function applyBatch(
  market: Market,
  tickets: readonly Ticket[],
  { readings, nowMs }: { readonly readings: BatchReadings; readonly nowMs: number },
): AppliedBatch {
  const run: BatchRun = { market, changes: new BatchChanges(), readings, nowMs }
  return { outcomes: tickets.map((ticket) => outcomeOf(run, ticket)), changes: run.changes }
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
    if ('receipt' in outcome) outcome.ticket.resolve(outcome.receipt)
    else outcome.ticket.reject(outcome.refusal)
  }
}

function outcomeOf(run: BatchRun, ticket: Ticket): Outcome {
  const entries = run.changes.journal.length
  try {
    const receipt = applyTicket(run, ticket)
    if (run.changes.journal.length === entries) noteUnchanged(run, ticket)
    return { ticket, receipt }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    noteUnchanged(run, ticket)
    return { ticket, refusal: error }
  }
}

/** What an order was answered from, though it changed nothing. */
function noteUnchanged({ market, changes }: BatchRun, { order }: Ticket): void {
  const account = market.account(order.userId)
  if (account !== undefined) changes.refusedBy.accounts.set(account.userId, account)
  const pool = order.kind === 'launch' ? undefined : market.pool(order.tokenId)
  if (pool !== undefined) changes.refusedBy.pools.set(pool.tokenId, pool)
}
