import type { MarkedTrade } from '../../../lib/api/api.ts'
import type { Slot } from './candle-window.ts'

/** A marked trade: the player's own or the creator's. */
export interface Mark {
  /** Index of the slot the trade is in. */
  readonly slot: number
  readonly side: 'buy' | 'sell'
  readonly who: 'own' | 'creator'
}

/** Beyond this many, marks are small and have no letter, so that the candles stay visible. */
export const LETTERED_MAX = 40

/** Whose trades to mark. */
export interface Marked {
  readonly ownId: number | null
  readonly creatorId: number
}

/** The `seq` of each marked trade and its owner. A creator's trades count as their own. */
export function markedSeqs(trades: readonly MarkedTrade[], marked: Marked): ReadonlyMap<number, Mark['who']> {
  const seqs = new Map<number, Mark['who']>()
  for (const { seq, userId } of trades) {
    const who = toTrader(userId, marked)
    if (who !== null) seqs.set(seq, who)
  }
  return seqs
}

/** The marks of trades, one per kind and slot. A creator's trades count as their own. */
export function toMarks(trades: readonly MarkedTrade[], slots: readonly Slot[], marked: Marked): Mark[] {
  const marks = new Map<string, Mark>()
  for (const { userId, side, createdAt } of trades) {
    const who = toTrader(userId, marked)
    if (who === null) continue
    const slot = slotAt(slots, Date.parse(createdAt))
    if (slot !== -1) marks.set(`${slot} ${side} ${who}`, { slot, side, who })
  }
  return [...marks.values()]
}

function toTrader(userId: number, { ownId, creatorId }: Marked): Mark['who'] | null {
  if (userId === ownId) return 'own'
  return userId === creatorId ? 'creator' : null
}

/** Index of the slot that contains the time; -1 if it is before the first. */
function slotAt(slots: readonly Slot[], timeMs: number): number {
  return slots.findLastIndex((slot) => slot.candle !== null && slot.timeMs <= timeMs)
}
