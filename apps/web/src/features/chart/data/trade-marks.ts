import type { MarkedTrade } from '../../../lib/api/api.ts'
import type { Slot } from './candle-window.ts'
import { findSlot } from './chart-window.ts'

export type Trader = 'own' | 'creator'

/** Marked trades of one side in one slot: the player's own or the creator's. */
export interface Mark {
  readonly slot: number
  readonly side: 'buy' | 'sell'
  readonly who: Trader
  readonly count: number
}

export interface Marked {
  readonly ownId: number | null
  readonly creatorId: number
}

/** The `seq` of each marked trade and its owner. A creator's trades count as their own. */
export function markedSeqs(trades: readonly MarkedTrade[], marked: Marked): ReadonlyMap<number, Trader> {
  const seqs = new Map<number, Trader>()
  for (const { seq, userId } of trades) {
    const who = toTrader(userId, marked)
    if (who !== null) seqs.set(seq, who)
  }
  return seqs
}

/** The marks of trades, one per side, owner and slot. A creator's trades count as their own. */
export function toMarks(
  trades: readonly MarkedTrade[],
  { slots, widthMs }: { readonly slots: readonly Slot[]; readonly widthMs: number },
  marked: Marked,
): Mark[] {
  const marks = new Map<string, Mark>()
  for (const { userId, side, createdAt } of trades) {
    const who = toTrader(userId, marked)
    if (who === null) continue
    const timeMs = Date.parse(createdAt)
    const slot = findSlot(slots, timeMs)
    const found = slots[slot]
    // Outside of the window, or in a gap that is longer than the axis.
    if (found === undefined || found.candle === null || timeMs >= found.timeMs + widthMs) continue
    const key = `${slot} ${side} ${who}`
    marks.set(key, { slot, side, who, count: (marks.get(key)?.count ?? 0) + 1 })
  }
  return [...marks.values()]
}

function toTrader(userId: number, { ownId, creatorId }: Marked): Trader | null {
  if (userId === ownId) return 'own'
  return userId === creatorId ? 'creator' : null
}
