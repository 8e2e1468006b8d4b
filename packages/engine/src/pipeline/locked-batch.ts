import type pg from 'pg'
import { type AppliedBatch, applyBatch } from '../batch/apply-batch.ts'
import { Market } from '../batch/market.ts'
import type { Clock } from '../clock.ts'
import type { PendingOrder } from '../pending-order.ts'
import { missingRows } from '../sql/missing-rows.ts'
import { type LockMode, lockMarket, rollback } from '../sql/read.ts'
import { writeChanges } from '../sql/write.ts'
import { CommitUnansweredError } from './failures.ts'

export interface LockedBatch extends AppliedBatch {
  /** Rows were passed over, since somebody else held them. */
  readonly isHeld: boolean
}

/**
 * Runs orders as one READ COMMITTED transaction: lock and read, apply, write, commit. Rejects with PostgreSQL's error, and then
 * nothing is done, or with `CommitUnansweredError`.
 */
export async function runLockedBatch(
  client: pg.ClientBase,
  orders: readonly PendingOrder[],
  { clock, mode }: { readonly clock: Clock; readonly mode: LockMode },
): Promise<LockedBatch> {
  const market = new Market()
  const reads = await lockMarket(client, market, { rows: missingRows(market, orders), orders, mode })
  const isHeld = reads.heldPools.size + reads.heldAccounts.size > 0
  const batch = { ...applyBatch(market, orders, { reads, nowMs: clock.now().getTime() }), isHeld }
  if (batch.changes.isEmpty) {
    await rollback(client)
    return batch
  }
  await writeChanges(client, batch.changes)
  await commit(client).catch((error: unknown) => {
    throw new CommitUnansweredError(error)
  })
  return batch
}

async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('commit')
  // PostgreSQL answers a commit of a failed transaction with a rollback, and no error.
  if (command !== 'COMMIT') throw new Error(`a commit was answered with ${command}`)
}
