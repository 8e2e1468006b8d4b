import { type Slot, toPlotted } from './candle-window.ts'
import type { Mark } from './trade-marks.ts'

export interface MarkPlace {
  readonly mark: Mark
  /** The high or low of its candle, in plot numbers; null: in the lane above or below the prices. */
  readonly price: number | null
  readonly width: number
  readonly height: number
  /** Offset in pixels from `price` down to the mark's centre; negative is up. In a lane, from its centre. */
  readonly down: number
  readonly text: string
}

const HEIGHT = 16
/** From the candle's end to the mark's centre, pixels. */
const DISTANCE = 14
/** A digit of the count, pixels. */
const DIGIT = 6
const COUNT_MAX = 99
/** Diamonds are drawn larger, to match the area of a circle. */
const DIAMOND_EXTRA = 3
const SMALL = 7
/** Least distance of small marks in a lane, pixels. */
const LANE_STEP = 10
/** Share of the plot's width that marks with letters may take, so that the candles stay visible. */
const LETTERED_PART = 0.3
/** Narrower plots have lanes only, as on phones. */
const LETTERED_WIDTH_MIN = 480

/**
 * Places marks. A few on a wide plot are drawn at their candles: buys below, sales above, the creator's outside the
 * player's own. Many, or any on a narrow plot, are small and in lanes above and below the candles.
 */
export function markPlaces(slots: readonly Slot[], marks: readonly Mark[], plotWidth: number): MarkPlace[] {
  const taken = marks.reduce((sum, mark) => sum + measure(mark), 0)
  if (plotWidth < LETTERED_WIDTH_MIN || taken > LETTERED_PART * plotWidth) {
    return lanePlaces(marks, plotWidth / Math.max(slots.length, 1))
  }
  const own = new Set(marks.filter(({ who }) => who === 'own').map(({ slot, side }) => `${slot} ${side}`))
  return marks.flatMap((mark) => {
    const candle = slots[mark.slot]?.candle ?? null
    if (candle === null) return []
    const isBuy = mark.side === 'buy'
    const isSecond = mark.who === 'creator' && own.has(`${mark.slot} ${mark.side}`)
    const away = isSecond ? DISTANCE + HEIGHT : DISTANCE
    const extra = mark.who === 'own' ? 0 : DIAMOND_EXTRA
    const { low, high } = toPlotted(candle)
    return [
      {
        mark,
        price: isBuy ? low : high,
        width: measure(mark) + extra,
        height: HEIGHT + extra,
        down: isBuy ? away : -away,
        text: `${isBuy ? 'B' : 'S'}${countText(mark)}`,
      },
    ]
  })
}

/** Places small marks in lanes; leaves out one that would touch the previous one of its lane and owner. */
function lanePlaces(marks: readonly Mark[], band: number): MarkPlace[] {
  const lastX = new Map<string, number>()
  const places: MarkPlace[] = []
  for (const mark of [...marks].sort((one, other) => one.slot - other.slot)) {
    const key = `${mark.side} ${mark.who}`
    const x = mark.slot * band
    if (x - (lastX.get(key) ?? Number.NEGATIVE_INFINITY) < LANE_STEP) continue
    lastX.set(key, x)
    // Own marks and the creator's have half a lane each.
    const down = mark.who === 'own' ? SMALL / 4 : -SMALL / 4
    places.push({ mark, price: null, width: SMALL, height: SMALL, down, text: '' })
  }
  return places
}

function measure(mark: Mark): number {
  return mark.count === 1 ? HEIGHT : HEIGHT + DIGIT * (countText(mark).length + 0.5)
}

function countText({ count }: Mark): string {
  if (count === 1) return ''
  return count > COUNT_MAX ? '99+' : String(count)
}
