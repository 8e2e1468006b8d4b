import { Decimal } from '@papermoon/amm'
import type { Candle, MarkedTrade, Timeframe } from '../../../lib/api/api.ts'

/** A position on the time axis with its candle. */
export interface Slot {
  /** Start time of the candle, in ms since the epoch. */
  readonly timeMs: number
  readonly candle: Candle
}

/** Start and end of the axis, in ms since the epoch. */
export interface TimeAxis {
  readonly startMs: number
  readonly endMs: number
  /** Length of a candle in ms. */
  readonly widthMs: number
}

/** Max number of slots on the axis. If there are more slots, the oldest are dropped. */
const SLOTS_MAX = 10_000
/** Min number of slots on the axis, so that a single candle does not fill the width. */
const SLOTS_MIN = 48

/** Length of each timeframe, in ms. */
export const SPAN_MS: Readonly<Record<Timeframe, number>> = {
  '1H': 3_600_000,
  '24H': 86_400_000,
  '7D': 604_800_000,
  ALL: Number.POSITIVE_INFINITY,
}

/**
 * Returns one slot per candle length, oldest first. Fills gaps, the time before the first candle, and the time up to
 * the present with flat candles.
 */
export function toSlots(candles: readonly Candle[], widthMs: number, nowMs: number): Slot[] {
  const [first] = candles
  if (first === undefined) return []
  const times = candles.map(({ time }) => Date.parse(time))
  const endMs = Math.max(nowMs, times.at(-1) ?? 0)
  const firstMs = (times[0] ?? 0) - widthMs
  const dropped = Math.max(Math.floor((endMs - firstMs) / widthMs) + 1 - SLOTS_MAX, 0)
  const slots: Slot[] = []
  let next = 0
  let price = first.open
  for (let timeMs = firstMs + dropped * widthMs; timeMs <= endMs; timeMs += widthMs) {
    while ((times[next] ?? timeMs) < timeMs) next += 1
    const candle = times[next] === timeMs ? candles[next] : undefined
    price = candles[candle === undefined ? next - 1 : next]?.close ?? price
    slots.push({ timeMs, candle: candle ?? stillCandle(price, timeMs) })
  }
  return slots
}

function stillCandle(price: string, timeMs: number): Candle {
  return { time: new Date(timeMs).toISOString(), open: price, high: price, low: price, close: price, volume: '0' }
}

/** Returns the time axis of the slots. The current chart's axis leaves space for future candles of a young token. */
export function toAxis(slots: readonly Slot[], widthMs: number, isPast: boolean): TimeAxis {
  const firstMs = slots[0]?.timeMs ?? 0
  const count = Math.max(slots.length, isPast ? 1 : SLOTS_MIN)
  const startMs = firstMs - widthMs / 2
  return { startMs, endMs: startMs + count * widthMs, widthMs }
}

/** Returns the index of the slot at a time, even if there is no such slot. */
export function findSlot({ startMs, widthMs }: TimeAxis, timeMs: number): number {
  return Math.floor((timeMs - startMs - widthMs / 2) / widthMs)
}

export function isDown({ open, close }: Candle): boolean {
  return Number(close) < Number(open)
}

const LAMPORTS_PER_SOL = 1_000_000_000
/** Max number of significant digits on the axis. The texts above the chart show exact values. */
const AXIS_DIGITS = 5

/**
 * Converts a price in SOL to lamports per token, for display only. The result equals the market cap in SOL, because the
 * supply in tokens equals the number of lamports per SOL. The function moves the decimal point in the text, and rounds
 * only once.
 */
export function toPlotPrice(sol: string): number {
  return Number(`${sol}e9`)
}

/** Converts lamports per token back to a price in SOL. */
export function toPrice(plotted: number): string {
  return new Decimal(plotted).div(LAMPORTS_PER_SOL).toSignificantDigits(AXIS_DIGITS, Decimal.ROUND_HALF_UP).toFixed()
}

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
