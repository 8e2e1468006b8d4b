import type pg from 'pg'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../errors.ts'
import type { TokenId, UserId } from '../../../ids.ts'
import { applyTicket } from './apply.ts'
import { BatchChanges, type BatchRun } from './batch-changes.ts'
import { type BatchKeys, commit, type LockMode, lockMarket, readMarket, rollback } from './read-store.ts'
import type { Receipt, Ticket } from './ticket.ts'
import { writeChanges } from './write-store.ts'

/** What became of one order of a batch. */
export type Outcome =
  | { readonly ticket: Ticket; readonly receipt: Receipt }
  | { readonly ticket: Ticket; readonly refusal: DomainError }

export interface BatchResult {
  readonly outcomes: readonly Outcome[]
  readonly changes: BatchChanges
}

/** The commit was sent and no answer came back: the batch may stand or not. */
export class CommitUnansweredError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost during a commit', { cause })
  }
}

/**
 * Runs orders as one READ COMMITTED transaction: lock, read, apply, write, commit. An order that breaks a rule is
 * refused alone. Rejects with PostgreSQL's error, and then nothing is done, or with `CommitUnansweredError`.
 */
export async function runBatch(
  client: pg.ClientBase,
  tickets: readonly Ticket[],
  options: { readonly clock: Clock; readonly lockMode: LockMode },
): Promise<BatchResult> {
  const { client: locked, market } = await lockMarket(client, keysOf(tickets), options.lockMode)
  const ids = await readMarket(locked, market, tickets)
  const run: BatchRun = { market, changes: new BatchChanges(), ids, nowMs: options.clock.now().getTime() }
  const outcomes = tickets.map((ticket) => outcomeOf(run, ticket))
  if (run.changes.isEmpty) {
    await rollback(locked)
    return { outcomes, changes: run.changes }
  }
  await writeChanges(locked, run.changes)
  await commit(locked).catch((error: unknown) => {
    throw new CommitUnansweredError(error)
  })
  return { outcomes, changes: run.changes }
}

function outcomeOf(run: BatchRun, ticket: Ticket): Outcome {
  try {
    return { ticket, receipt: applyTicket(run, ticket) }
  } catch (error) {
    if (error instanceof DomainError) return { ticket, refusal: error }
    throw error
  }
}

function keysOf(tickets: readonly Ticket[]): BatchKeys {
  const tokenIds = new Set<TokenId>()
  const userIds = new Set<UserId>()
  for (const { order } of tickets) {
    userIds.add(order.userId)
    if (order.kind !== 'launch') tokenIds.add(order.tokenId)
  }
  return { tokenIds: [...tokenIds], userIds: [...userIds] }
}
