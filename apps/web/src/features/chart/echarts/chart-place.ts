import { formatMarketCap } from '@papermoon/format'
import { toMarketCap } from '../../../components/figures/value.tsx'
import type { Chart } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { STEPS } from '../../../lib/ui/place-after-key.ts'
import type { Slot } from '../data/candle-window.ts'
import type { View } from '../data/chart-views.ts'
import { type ChartWindow, panWindow, type VisibleSlots, zoomWindow } from '../data/chart-window.ts'
import { formatSlotTime } from '../data/time-labels.ts'

/** The part of the chart's data that positions on the time axis refer to. */
export interface Places {
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly ticks: Chart['ticks']
  readonly view: View
}

/** The last slot with data; -1 for an empty chart. */
export function lastPlace({ slots, ticks, view }: Omit<Places, 'widthMs'>): number {
  return view === 'ticks' ? ticks.length - 1 : slots.findLastIndex(({ candle }) => candle !== null)
}

const ZOOM_STEP = 1.5

interface PlaceInWindow {
  readonly place: number
  readonly places: number
}

/**
 * The window after a key press: plus and minus zoom around the place, 0 shows everything, and a step beyond the left or
 * right edge moves the window. Undefined for keys that do not change it.
 */
export function windowAfterKey(
  key: string,
  { visible, window }: { readonly visible: VisibleSlots; readonly window: ChartWindow | null },
  { place, places }: PlaceInWindow,
): ChartWindow | null | undefined {
  const at = (place + 0.5) / Math.max(places, 1)
  if (key === '+' || key === '=') return zoomWindow(visible, 1 / ZOOM_STEP, at)
  if (key === '-') return zoomWindow(visible, ZOOM_STEP, at)
  if (key === '0') return null
  const step = STEPS.get(key)
  if (step === undefined || window === null) return undefined
  const isBeyond = step < 0 ? place + step < 0 && visible.first > 0 : place + step >= places && window.endMs !== null
  const slotsPerPlace = (visible.last - visible.first + 1) / Math.max(places, 1)
  return isBeyond ? panWindow(visible, step * slotsPerPlace) : undefined
}

/** Describes a slot in words and exact prices, for screen readers. */
export function placeText(places: Places, place: number, unit: ValueUnit): string {
  const formatFigure = (price: string) => (unit === 'price' ? `${price} SOL` : formatMarketCap(toMarketCap(price)))
  if (places.view === 'ticks') {
    const tick = places.ticks[place]
    if (tick === undefined) return ''
    const time = formatSlotTime(Date.parse(tick.time))
    return `Trade ${tick.seq}, ${tick.side}, ${time}: ${formatFigure(tick.price)} after it`
  }
  const slot = places.slots[place]
  if (slot === undefined || slot.candle === null) return ''
  const { open, high, low, close, volume } = slot.candle
  const values = [
    ['open', open],
    ['high', high],
    ['low', low],
    ['close', close],
  ].map(([name, price = '0']) => `${name} ${formatFigure(price)}`)
  return `${formatSlotTime(slot.timeMs, places.widthMs)}: ${values.join(', ')}, volume ${volume} SOL`
}
