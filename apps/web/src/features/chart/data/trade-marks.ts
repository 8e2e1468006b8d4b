import type { MarkedTrade } from '../../../lib/api/api.ts'
import { findSlot, type Slot, type TimeAxis } from './slots.ts'

export type Trader = 'own' | 'creator'

/** A trade of the player's own or of the creator. */
export interface OwnedTrade extends Omit<MarkedTrade, 'userId'> {
  readonly who: Trader
}

interface Traders {
  readonly ownId: number | null
  readonly creatorId: number
}

/** The trades that charts mark. A creator's trades count as their own. */
export function findOwned(trades: readonly MarkedTrade[], { ownId, creatorId }: Traders): OwnedTrade[] {
  return trades.flatMap(({ userId, ...trade }): OwnedTrade[] => {
    const who = userId === ownId ? 'own' : userId === creatorId ? 'creator' : null
    return who === null ? [] : [{ ...trade, who }]
  })
}

/** Trades of one side and owner in one slot. */
export interface Mark extends Pick<OwnedTrade, 'side' | 'who'> {
  readonly slot: Slot
  readonly count: number
}

export function toMarks(trades: readonly OwnedTrade[], slots: readonly Slot[], axis: TimeAxis): Mark[] {
  const marks = new Map<string, Mark>()
  for (const { who, side, createdAt } of trades) {
    const slot = slots[findSlot(axis, Date.parse(createdAt))]
    if (slot === undefined) continue
    const key = `${slot.timeMs} ${side} ${who}`
    marks.set(key, { slot, side, who, count: (marks.get(key)?.count ?? 0) + 1 })
  }
  return [...marks.values()]
}
