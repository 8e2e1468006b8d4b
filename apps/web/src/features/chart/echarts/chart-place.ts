import { toMarketCap } from '../../../components/figures/value.tsx'
import type { Chart } from '../../../lib/api/api.ts'
import { formatMarketCap } from '../../../lib/format/format.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import type { Slot } from '../data/candle-window.ts'
import { placeTime, type View } from '../data/chart-views.ts'

/** Slots skipped by Page Up and Page Down. */
const STRIDE = 10

/** The part of the chart's data that positions on the time axis refer to. */
export interface Places {
  readonly slots: readonly Slot[]
  readonly ticks: Chart['ticks']
  readonly view: View
}

/** The last slot with data; -1 for an empty chart. */
export function lastPlace({ slots, ticks, view }: Places): number {
  return view === 'ticks' ? ticks.length - 1 : slots.findLastIndex(({ candle }) => candle !== null)
}

/** The slot after a key press at `place`, from 0 to `last`; undefined for keys without a meaning. */
export function placeAfterKey(key: string, place: number, last: number): number | undefined {
  const step = STEPS.get(key)
  if (step !== undefined) return Math.min(Math.max(place + step, 0), last)
  if (key === 'Home') return 0
  return key === 'End' ? last : undefined
}

/** As in any slider, up and right increase. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['ArrowLeft', -1],
  ['ArrowDown', -1],
  ['ArrowRight', 1],
  ['ArrowUp', 1],
  ['PageDown', -STRIDE],
  ['PageUp', STRIDE],
])

/** Describes a slot in words and exact prices, for screen readers. */
export function placeText(places: Places, place: number, unit: ValueUnit): string {
  const formatFigure = (price: string) => (unit === 'price' ? `${price} SOL` : formatMarketCap(toMarketCap(price)))
  if (places.view === 'ticks') {
    const tick = places.ticks[place]
    if (tick === undefined) return ''
    return `Trade ${tick.seq}, ${tick.side}, ${placeTime(Date.parse(tick.time))}: ${formatFigure(tick.price)} after it`
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
  return `${placeTime(slot.timeMs)}: ${values.join(', ')}, volume ${volume} SOL`
}
