import type pg from 'pg'
import { applyOrder } from '../batch/apply-order.ts'
import { BatchChanges } from '../batch/changes.ts'
import { Market, withBalance } from '../batch/market.ts'
import type { TokenId, UserId } from '../ids.ts'
import type { Order } from '../orders.ts'
import { configureConnection } from '../sql/connection-settings.ts'
import { type BatchReads, EMPTY_READS } from '../sql/read.ts'
import { writeChanges } from '../sql/write.ts'

export type { BatchChanges } from '../batch/changes.ts'
export type { Market } from '../batch/market.ts'

/** An order with the time it is to have happened. */
export interface BulkOrder {
  readonly order: Order
  /** Unix time in ms. */
  readonly atMs: number
  readonly requestKey: string
}

/**
 * Generates a market's history in an empty database, for benchmarks and tests. It uses the engine's own rules and SQL without its
 * queue, locks and reads: a million trades take minutes and pass the audit.
 *
 * The players' rows must exist in the database, and token ids must start at 1.
 */
export class BulkMarket {
  readonly market = new Market()
  readonly #reads: BatchReads
  #tokens = 0

  constructor() {
    this.#reads = { ...EMPTY_READS, nextTokenId: () => ++this.#tokens as TokenId }
  }

  addPlayer(
    player: { readonly userId: UserId; readonly username: string },
    balance: Parameters<typeof withBalance>[1],
  ) {
    this.market.setAccount(withBalance(player, balance))
  }

  /** Applies one order on top of `changes`. Throws the `DomainError` of the rule it breaks. */
  apply({ order, atMs, requestKey }: BulkOrder, changes: BatchChanges): void {
    const pending = { order, requestKey, mayBeRepeat: false, queuedAtMs: 0, resolve() {}, reject() {} }
    applyOrder({ market: this.market, changes, reads: this.#reads, nowMs: atMs }, pending)
  }
}

/** An empty batch. Orders of one batch must lie within one minute: a batch happens within one candle. */
export function createBatch(): BatchChanges {
  return new BatchChanges()
}

/** Configures a connection for `writeBatch`. Release it with `release(true)`, since it keeps these settings. */
export async function prepareBulkConnection(client: pg.ClientBase): Promise<void> {
  await configureConnection(client)
}

/** Writes a batch in a transaction. */
export async function writeBatch(client: pg.ClientBase, changes: BatchChanges): Promise<void> {
  await client.query('begin')
  await writeChanges(client, changes)
  await client.query('commit')
}
