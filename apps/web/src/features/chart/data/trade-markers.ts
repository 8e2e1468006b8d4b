import type { MarkedTrade } from '../../../lib/api/api.ts'
import { findSlot, type Slot, type TimeAxis } from './slots.ts'

export type Trader = 'own' | 'creator'

/** A trade by the player or the creator. */
export interface OwnedTrade extends Omit<MarkedTrade, 'userId'> {
  readonly who: Trader
}

interface Traders {
  readonly ownId: number | null
  readonly creatorId: number
}

/** Returns the trades that charts should mark. If the player is the creator, their trades count as the player's. */
export function findOwned(trades: readonly MarkedTrade[], { ownId, creatorId }: Traders): OwnedTrade[] {
  return trades.flatMap(({ userId, ...trade }): OwnedTrade[] => {
    const who = userId === ownId ? 'own' : userId === creatorId ? 'creator' : null
    return who === null ? [] : [{ ...trade, who }]
  })
}

/** Trades of one side by one player, marked at the slot of the newest trade. */
export interface TradeMarker extends Pick<OwnedTrade, 'side' | 'who'> {
  readonly slot: Slot
  readonly count: number
}

/** Returns the markers of trades, newest first. Trades within `stepMs` share one marker. */
export function toMarkers(
  trades: readonly OwnedTrade[],
  { slots, axis }: { readonly slots: readonly Slot[]; readonly axis: TimeAxis },
  stepMs = axis.widthMs,
): TradeMarker[] {
  const markers = new Map<string, TradeMarker>()
  for (const { who, side, createdAt } of trades) {
    const slot = slots[findSlot(axis, Date.parse(createdAt))]
    if (slot === undefined) continue
    const key = `${Math.floor(slot.timeMs / stepMs)} ${side} ${who}`
    const { slot: first = slot, count = 0 } = markers.get(key) ?? {}
    markers.set(key, { slot: first, side, who, count: count + 1 })
  }
  return [...markers.values()]
}
