import type { Trade } from '../../lib/api.ts'
import type { Slot } from './candle-window.ts'

/** A trade that is marked on the chart: the player's own, or the creator's. */
export interface Mark {
  /** Index of the slot it happened in. */
  readonly slot: number
  readonly side: 'buy' | 'sell'
  readonly who: 'own' | 'creator'
}

/** Whose trades are marked. */
export interface Marked {
  readonly ownId: number | null
  readonly creatorId: number
}

/** The marks of some trades; the same kind in the same slot is one mark. A creator sees their own trades as own. */
export function marksOf(trades: readonly Trade[], slots: readonly Slot[], { ownId, creatorId }: Marked): Mark[] {
  const marks = new Map<string, Mark>()
  for (const { userId, side, createdAt } of trades) {
    if (userId !== ownId && userId !== creatorId) continue
    const who = userId === ownId ? 'own' : 'creator'
    const slot = slotAt(slots, Date.parse(createdAt))
    if (slot !== -1) marks.set(`${slot} ${side} ${who}`, { slot, side, who })
  }
  return [...marks.values()]
}

/** Index of the slot that the time lies in; -1 for one before the first. */
function slotAt(slots: readonly Slot[], timeMs: number): number {
  return slots.findLastIndex((slot) => slot.candle !== null && slot.timeMs <= timeMs)
}
