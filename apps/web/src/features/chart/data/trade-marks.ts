import type { MarkedTrade } from '../../../lib/api/api.ts'
import type { Slot } from './candle-window.ts'

/** A trade that is marked on the chart: the player's own, or the creator's. */
export interface Mark {
  /** Index of the slot it happened in. */
  readonly slot: number
  readonly side: 'buy' | 'sell'
  readonly who: 'own' | 'creator'
}

/** More marks than this would cover the candles: they are small and without a letter. */
export const LETTERED_MAX = 40

/** Whose trades are marked. */
export interface Marked {
  readonly ownId: number | null
  readonly creatorId: number
}

/** By number, the trades that are marked, and for whom. A creator sees their own trades as own. */
export function markedSeqs(trades: readonly MarkedTrade[], marked: Marked): ReadonlyMap<number, Mark['who']> {
  const seqs = new Map<number, Mark['who']>()
  for (const { seq, userId } of trades) {
    const who = toTrader(userId, marked)
    if (who !== null) seqs.set(seq, who)
  }
  return seqs
}

/** The marks of some trades; the same kind in the same slot is one mark. A creator sees their own trades as own. */
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

/** Index of the slot that the time lies in; -1 for one before the first. */
function slotAt(slots: readonly Slot[], timeMs: number): number {
  return slots.findLastIndex((slot) => slot.candle !== null && slot.timeMs <= timeMs)
}
