import { Decimal, type Sol } from '@papermoon/amm'
import type { Database } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { Kysely } from 'kysely'
import { flowProfit } from './flow-profit.ts'
import type { Gain } from './profit-sources.ts'
import { findBestFlows, type TradeWindow } from './store.ts'

/** Players looked at exactly for each place: far more than could change places by an estimate's lamports. */
const LOOKS_PER_PLACE = 3

/** What a player won by the trades of a window. */
export interface Standing {
  readonly userId: UserId
  /** SOL, above 0. */
  readonly profit: Sol
  readonly trades: number
  /** By token, where there was one. */
  readonly gains: readonly Gain[]
}

/** The `places` players with the largest profit of a window, the largest first; of equals the older account. */
export async function rankWinners(db: Kysely<Database>, window: TradeWindow, places: number): Promise<Standing[]> {
  const standings = new Map<UserId, Standing>()
  for (const { userId, tokenId, trades, flow, pools } of await findBestFlows(db, window, places * LOOKS_PER_PLACE)) {
    const before = standings.get(userId) ?? { userId, profit: new Decimal(0), trades: 0, gains: [] }
    const gained = flowProfit(flow, pools)
    const gains = gained.gt(0) ? [...before.gains, { userId, tokenId, profit: gained }] : before.gains
    standings.set(userId, { userId, profit: before.profit.add(gained), trades: before.trades + trades, gains })
  }
  return [...standings.values()]
    .filter(({ profit }) => profit.gt(0))
    .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
    .slice(0, places)
}
