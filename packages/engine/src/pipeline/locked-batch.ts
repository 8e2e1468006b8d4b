import { performance } from 'node:perf_hooks'
import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import { type AppliedBatch, applyBatch, hasRepeats } from '../batch/apply-batch.ts'
import { Market } from '../batch/market.ts'
import type { Clock } from '../clock.ts'
import { BusyError } from '../errors.ts'
import { type BatchTimes, isExpired, type PendingOrder } from '../order-queue.ts'
import { type LockMode, lockMarket, rollback } from '../sql/read.ts'
import { findMissingRows } from '../sql/statements.ts'
import { writeChanges } from '../sql/write.ts'
import { ReachedError } from '../waiting/cascade.ts'
import { STEPS_MAX } from '../waiting/waiting-order.ts'
import { CommitFailedError } from './failures.ts'

export interface LockedBatch extends AppliedBatch {
  /** Ids of the transactions that had locked the skipped rows, or null if no rows were skipped. */
  readonly passedOver: ReadonlySet<string> | null
  readonly times: BatchTimes
}

/**
 * Runs orders as one READ COMMITTED transaction. The transaction locks and reads rows, applies the orders, writes and
 * commits. Rejects with `CommitFailedError`, or with PostgreSQL's error if nothing was written.
 */
export async function runLockedBatch(client: pg.ClientBase, work: BatchWork, way: BatchWay): Promise<LockedBatch> {
  try {
    return await runOnce(client, work, way)
  } catch (error) {
    if (!(error instanceof ReachedError)) throw error
    await rollback(client)
    const { orders, reached, steps } = work
    if (reached.includes(error.tokenId)) throw error
    // Read the ranges of all tokens in the batch, because it has reached a second token whose waiting orders were not
    // read.
    const found =
      reached.length === 0
        ? [error.tokenId]
        : orders.flatMap(({ order }) => ('tokenId' in order ? [order.tokenId] : []))
    return await runLockedBatch(client, { orders, steps, reached: [...new Set([...reached, ...found])] }, way)
  }
}

export interface BatchWork {
  readonly orders: readonly PendingOrder[]
  /** Tokens whose cascades run first, because their price may have reached waiting orders. */
  readonly reached: readonly TokenId[]
  /** Max number of steps per cascade (default: the batch's limit). */
  readonly steps?: number | undefined
}

interface BatchWay {
  readonly clock: Clock
  readonly mode: LockMode
}

/** Throws `ReachedError` if a cascade begins and the batch has not read its orders. */
async function runOnce(
  client: pg.ClientBase,
  { orders, reached, steps = STEPS_MAX }: BatchWork,
  { clock, mode }: BatchWay,
): Promise<LockedBatch> {
  const market = new Market()
  const missing = findMissingRows(market, orders)
  const rows = { ...missing, tokenIds: [...new Set([...missing.tokenIds, ...reached])] }
  const reads = await lockMarket(client, market, {
    rows,
    orders,
    mode,
    ranges: { tokenIds: reached, size: steps },
  })
  const begun = declineExpired(orders)
  const passedOver = reads.lockedPools.size + reads.lockedAccounts.size > 0 ? reads.holders : null
  const batch = { ...applyBatch(market, begun, { reads, nowMs: clock.now().getTime() }), passedOver }
  const toTimes = (sentMs: number | null): BatchTimes => ({ mode: 'locked', sentMs, endMs: performance.now() })
  if (batch.changes.isEmpty && !hasRepeats(batch)) {
    await rollback(client)
    return { ...batch, times: toTimes(null) }
  }
  const sentMs = performance.now()
  // Commit even if nothing changed, so that a repeat waits for the synchronous standby. After a crash, a server can
  // show commits that its standby lacks.
  if (!batch.changes.isEmpty) await writeChanges(client, batch.changes)
  await commit(client).catch((error: unknown) => {
    throw new CommitFailedError(error)
  })
  return { ...batch, times: toTimes(sentMs) }
}

/**
 * Rejects orders that can no longer begin in time. Call this function only while holding all locks, so that a repeat on
 * another node waits for them.
 */
function declineExpired(orders: readonly PendingOrder[]): readonly PendingOrder[] {
  const expired = orders.filter(isExpired)
  for (const pending of expired) pending.reject(new BusyError())
  return expired.length === 0 ? orders : orders.filter((pending) => !expired.includes(pending))
}

async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('commit')
  // If a failed transaction is committed, PostgreSQL returns ROLLBACK and no error.
  if (command !== 'COMMIT') throw new Error(`a commit returned ${command}`)
}
