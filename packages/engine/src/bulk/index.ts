import type pg from 'pg'
import { BatchChanges } from '../batch/changes.ts'
import { configureConnection } from '../sql/connection.ts'
import { writeChanges } from '../sql/write.ts'

export type { BatchChanges } from '../batch/changes.ts'
export type { Market } from '../batch/market.ts'
export type { Receipt } from '../order-queue.ts'
export { BulkMarket, type BulkOrder } from './bulk-market.ts'
export { MarketHistory } from './history.ts'
export { reservePositions, writeHistory } from './write-history.ts'

/**
 * Creates an empty batch. All orders of the batch must be within one minute, because a batch has one candle of each
 * width.
 */
export function createBatch(): BatchChanges {
  return new BatchChanges()
}

/**
 * Configures a connection for `writeBatch`. Close this connection with `release(true)`, because no other code may use
 * it with these settings.
 */
export async function prepareBulkConnection(client: pg.ClientBase): Promise<void> {
  await configureConnection(client)
}

export async function writeBatch(client: pg.ClientBase, changes: BatchChanges): Promise<void> {
  await client.query('begin')
  await writeChanges(client, changes)
  await client.query('commit')
}
