import { useMemo, useState } from 'react'
import type { MarkedTrade, Token } from '../../lib/api/api.ts'
import { useCurrentUser } from '../../lib/api/current-user.ts'
import { readStored, store } from '../../lib/ui/stored.ts'
import { findSlot, type Slot, type TimeAxis } from './chart-axis.ts'
import classes from './chart-card.module.css'

export type Trader = 'own' | 'creator'

/** A trade by the player or the creator. */
export interface OwnedTrade extends Omit<MarkedTrade, 'userId'> {
  readonly who: Trader
}

interface Traders {
  readonly ownId: number | null
  readonly creatorId: number
}

/**
 * Returns the trades that charts should mark. If the player is also the creator, the trades are marked as the player's.
 */
export function findOwned(trades: readonly MarkedTrade[], { ownId, creatorId }: Traders): OwnedTrade[] {
  return trades.flatMap(({ userId, ...trade }): OwnedTrade[] => {
    const who = userId === ownId ? 'own' : userId === creatorId ? 'creator' : null
    return who === null ? [] : [{ ...trade, who }]
  })
}

/** Buys or sales by one player that share a marker, which is at the slot of the newest trade. */
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

const HIDDEN_KEY = 'papermoon-hidden-marks'

/**
 * Returns the players whose trades the charts do not mark. This browser stores the choice. By default, the charts mark
 * the trades of both the player and the creator.
 */
export function readHidden(): Trader[] {
  const hidden = (readStored(HIDDEN_KEY) ?? '').split(' ')
  return (['own', 'creator'] as const).filter((who) => hidden.includes(who))
}

export function storeHidden(hidden: readonly Trader[]): void {
  store(HIDDEN_KEY, hidden.length === 0 ? null : hidden.join(' '))
}

/** Finds the trades of the creator and of the player, and whether the chart shows them. */
export function useShownTrades(trades: readonly MarkedTrade[], { creator }: Token) {
  const ownId = useCurrentUser()?.id ?? null
  const creatorId = creator.id
  const [hidden, setHidden] = useState(readHidden)
  const owned = useMemo(() => findOwned(trades, { ownId, creatorId }), [trades, ownId, creatorId])
  const shown = useMemo(() => owned.filter(({ who }) => !hidden.includes(who)), [owned, hidden])
  const onToggle = (who: Trader) => {
    const next = hidden.includes(who) ? hidden.filter((other) => other !== who) : [...hidden, who]
    setHidden(next)
    storeHidden(next)
  }
  return { shown, legend: { owners: new Set(owned.map(({ who }) => who)), hidden, onToggle } }
}

interface ChartLegendProps {
  readonly owners: ReadonlySet<Trader>
  readonly hidden: readonly Trader[]
  readonly onToggle: (who: Trader) => void
  readonly isTicks: boolean
}

const OWNERS = [
  { who: 'own', sign: '●', color: 'var(--pm-moon)', label: 'Your trades' },
  { who: 'creator', sign: '◆', color: 'var(--pm-success)', label: 'The creator’s trades' },
] as const

/** The legend of the trade markers. The legend can hide the markers, and it says how to move the chart. */
export function ChartLegend({ owners, hidden, onToggle, isTicks }: ChartLegendProps) {
  return (
    <div className="row gap-wide small wrap control">
      {OWNERS.filter(({ who }) => owners.has(who)).map(({ who, sign, color, label }) => (
        <button
          key={who}
          type="button"
          className={`control ${hidden.includes(who) ? classes.hidden : 'ink'}`}
          aria-pressed={!hidden.includes(who)}
          title={hidden.includes(who) ? 'Show these trades on the chart' : 'Hide these trades on the chart'}
          onClick={() => onToggle(who)}
        >
          <span style={{ color }} aria-hidden="true">
            {sign}
          </span>{' '}
          {label}
        </button>
      ))}
      {!isTicks && (
        // Use one line on phones, because a second line would move the page when the legend arrives.
        <span className={`ml-auto ${owners.size > 0 ? 'phone-hidden' : ''}`}>
          Drag to move the chart. Pinch, or turn the mouse wheel with Ctrl, to zoom.
        </span>
      )}
    </div>
  )
}
