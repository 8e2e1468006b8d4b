import { Decimal, type Sol } from '@papermoon/amm'
import type { Db } from '@papermoon/db'
import type { UserId } from '@papermoon/engine'
import type { TradeWindow } from '../store.ts'
import { findBestFlows, flowProfit, type Places, type PlayerFlow } from './best-flows.ts'
import type { Gain } from './profit-sources.ts'

/** Number of players computed exactly per rank. An estimate misplaces players by far less. */
const LOOKS_PER_PLACE = 3

/** A player's profit from a window's trades. */
export interface RankedPlayer {
  readonly userId: UserId
  /** Profit in SOL. */
  readonly profit: Sol
  readonly trades: number
  /** The tokens that brought a profit. */
  readonly gains: readonly Gain[]
}

/**
 * Ranks the people, or the bots, by their profit in a window, the largest profit first. Among players with equal
 * profits, the older account comes first.
 */
export async function rankWinners(db: Db, window: TradeWindow, { most: places, who }: Places): Promise<RankedPlayer[]> {
  return rankFlows(await findBestFlows(db, window, { most: places * LOOKS_PER_PLACE, who })).slice(0, places)
}

/** Returns the players with a total profit, largest first. */
export function rankFlows(flows: readonly PlayerFlow[]): RankedPlayer[] {
  return sumFlows(flows)
    .filter(({ profit }) => profit.gt(0))
    .sort((a, b) => b.profit.comparedTo(a.profit) || a.userId - b.userId)
}

/** Adds up each player's flows. A player's total may be negative. */
export function sumFlows(flows: readonly PlayerFlow[]): RankedPlayer[] {
  const ranked = new Map<UserId, RankedPlayer>()
  for (const { userId, tokenId, trades, flow, pools } of flows) {
    const before = ranked.get(userId) ?? { userId, profit: new Decimal(0), trades: 0, gains: [] }
    const gained = flowProfit(flow, pools)
    const gains = gained.gt(0) ? [...before.gains, { userId, tokenId, profit: gained }] : before.gains
    ranked.set(userId, { userId, profit: before.profit.add(gained), trades: before.trades + trades, gains })
  }
  return [...ranked.values()]
}
