import type { TokenId } from '@papermoon/contract/ids'
import type pg from 'pg'
import { applyBatch, toMarketEvents } from './batch/apply-batch.ts'
import { Market } from './batch/market.ts'
import type { Clock } from './clock.ts'
import { BusyError } from './errors.ts'
import { toUnqueued } from './order-queue.ts'
import type { DryRun, Order } from './orders.ts'
import { readSnapshot } from './sql/read.ts'
import { findMissingRows } from './sql/statements.ts'

interface Parts {
  readonly pool: pg.Pool
  readonly clock: Clock
}

/** Applies an order to the current market without writing. Throws the `DomainError` that would reject the order. */
export async function dryRunOrder({ pool, clock }: Parts, order: Order): Promise<DryRun> {
  const pending = toUnqueued(order, order.requestKey ?? '', order.requestKey !== undefined)
  const market = new Market()
  const client = await pool.connect()
  const wanted = { rows: findMissingRows(market, [pending]), orders: [pending] }
  const found = await readSnapshot(client, market, wanted).then(
    (reads) => {
      client.release()
      return reads
    },
    (error: unknown) => {
      // Close the connection instead of reusing it, because a transaction may be open.
      client.release(true)
      throw error
    },
  )
  const reads = { ...found, nextTokenId: () => 0 as TokenId }
  const { outcomes, changes } = applyBatch(market, [pending], { reads, nowMs: clock.now().getTime() })
  const [outcome] = outcomes
  // The order would have to wait for its token's cascade, so its outcome is not known.
  if (outcome === undefined) throw new BusyError()
  if ('refusal' in outcome) throw outcome.refusal
  return { receipt: outcome.receipt, events: toMarketEvents(changes) }
}
