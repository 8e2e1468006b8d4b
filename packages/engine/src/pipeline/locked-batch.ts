import { performance } from 'node:perf_hooks'
import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import { type AppliedBatch, applyBatch, hasRepeats } from '../batch/apply-batch.ts'
import { Market } from '../batch/market.ts'
import type { BatchTimes } from '../batch-times.ts'
import type { Clock } from '../clock.ts'
import { BusyError } from '../errors.ts'
import { isExpired, type PendingOrder } from '../pending-order.ts'
import { findMissingRows } from '../sql/missing-rows.ts'
import { type LockMode, lockMarket, rollback } from '../sql/read.ts'
import { writeChanges } from '../sql/write.ts'
import { STEPS_MAX } from '../waiting/book.ts'
import { ReachedError } from '../waiting/cascade.ts'
import { CommitFailedError } from './failures.ts'

export interface LockedBatch extends AppliedBatch {
  /** The transactions that held rows which were passed over; null if none were. */
  readonly passedOver: ReadonlySet<string> | null
  readonly times: BatchTimes
}

/**
 * Runs orders as one READ COMMITTED transaction: lock and read, apply, write, commit. Rejects with `CommitFailedError`, or with
 * PostgreSQL's error if nothing was written.
 */
export async function runLockedBatch(client: pg.ClientBase, work: BatchWork, way: BatchWay): Promise<LockedBatch> {
  try {
    return await runOnce(client, work, way)
  } catch (error) {
    if (!(error instanceof ReachedError)) throw error
    await rollback(client)
    const { orders, reached, steps } = work
    if (reached.includes(error.tokenId)) throw error
    // Where one more was found there may be others: then all are looked at, so this ends.
    const found =
      reached.length === 0
        ? [error.tokenId]
        : orders.flatMap(({ order }) => ('tokenId' in order ? [order.tokenId] : []))
    return await runLockedBatch(client, { orders, steps, reached: [...new Set([...reached, ...found])] }, way)
  }
}

export interface BatchWork {
  readonly orders: readonly PendingOrder[]
  /** Tokens whose price has reached orders that wait, or may: their cascades go on first. */
  readonly reached: readonly TokenId[]
  /** Steps of the cascade of each; default: as many as a batch makes. */
  readonly steps?: number | undefined
}

interface BatchWay {
  readonly clock: Clock
  readonly mode: LockMode
}

/** Throws `ReachedError` where a cascade begins for which the batch was not read. */
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
    windows: { tokenIds: reached, size: steps },
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
  // A server that restarted after a crash shows commits that its synchronous standby may lack. The locks of a repeat are in the
  // log, so its commit waits for the standby as that of a new order does.
  if (!batch.changes.isEmpty) await writeChanges(client, batch.changes)
  await commit(client).catch((error: unknown) => {
    throw new CommitFailedError(error)
  })
  return { ...batch, times: toTimes(sentMs) }
}

/**
 * Declines orders that may not begin any more. Only once all locks are held: from here on, another node that runs such an order
 * waits for these locks.
 */
function declineExpired(orders: readonly PendingOrder[]): readonly PendingOrder[] {
  const expired = orders.filter(isExpired)
  for (const pending of expired) pending.reject(new BusyError())
  return expired.length === 0 ? orders : orders.filter((pending) => !expired.includes(pending))
}

async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await client.query('commit')
  // PostgreSQL answers the commit of a failed transaction with a rollback instead of an error.
  if (command !== 'COMMIT') throw new Error(`a commit was answered with ${command}`)
}
