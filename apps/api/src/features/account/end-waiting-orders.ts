import type { Tx } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'

interface Ending {
  /** Code for the reason why the orders end. */
  readonly cause: string
  /** Whether to end only buys. Sales and stops then stay open. */
  readonly onlyBuys?: boolean
  /** The account in a fair whose orders to end. If absent, the orders of all accounts end. */
  readonly fairAccountId?: number
}

/**
 * Ends a player's waiting orders, at most 50 in each market. A fill that is running notices that its order has ended,
 * and runs again without it.
 */
export async function endWaitingOrders(
  tx: Tx,
  userId: UserId,
  { cause, onlyBuys = false, fairAccountId }: Ending,
): Promise<void> {
  for (const schema of fairAccountId === undefined ? ['public', 'fairs'] : ['fairs']) {
    const [orders, pools] = [sql.table(`${schema}.waiting_orders`), sql.table(`${schema}.pools`)]
    await sql`
      with held as materialized (
        select id from ${orders} where user_id = ${userId} and state = 'waiting' and (kind = 'buy' or ${!onlyBuys})
          and (${fairAccountId ?? null}::int is null or account_id = ${fairAccountId ?? null}::int) for update
      )
      update ${orders} w set state = 'cancelled', cause = ${cause},
             ended_at = greatest(clock_timestamp(), w.placed_at, p.last_event_at),
             position = -w.id
        from held, ${pools} p where w.id = held.id and p.token_id = w.token_id`.execute(tx)
  }
}
