import { Decimal, type Sol } from '@papermoon/amm'
import type { UserId } from '@papermoon/engine'
import { sql } from 'kysely'
import type { Snapshot } from '../../database/snapshot.ts'

/** A player's realized profit in SOL. The parts add up to `total`. */
export interface RealizedProfit {
  readonly total: Sol
  /** SOL received in sales minus the cost of the sold tokens. */
  readonly closedTrades: Sol
  /** SOL paid for launches, as zero or a negative number. */
  readonly launchFees: Sol
  readonly rugs: Sol
}

export async function findRealizedProfit(snapshot: Snapshot, userId: UserId): Promise<RealizedProfit> {
  const { rows } = await sql<{ realized_pnl: string; launch_fees: string; rugs: string }>`
    select a.realized_pnl, coalesce(sum(t.launch_fee), 0) as launch_fees, coalesce(sum(r.amount), 0) as rugs
      from accounts a
      left join tokens t on t.creator_id = a.user_id
      left join rugs r on r.token_id = t.id
     where a.user_id = ${userId} group by a.user_id`.execute(snapshot)
  const [row] = rows
  if (row === undefined) throw new Error('every player has an account')
  const total = new Decimal(row.realized_pnl)
  const launchFees = new Decimal(row.launch_fees).neg()
  const rugs = new Decimal(row.rugs)
  return { total, closedTrades: total.sub(launchFees).sub(rugs), launchFees, rugs }
}
