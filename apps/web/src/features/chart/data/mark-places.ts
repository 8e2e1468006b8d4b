import { plotPrice } from '../echarts/plot-number.ts'
import type { Slot } from './candle-window.ts'
import { LETTERED_MAX, type Mark } from './trade-marks.ts'

/** Where a mark is drawn, and how large. */
export interface MarkPlace {
  readonly mark: Mark
  /** The end of its candle, in numbers of the canvas. */
  readonly price: number
  /** Pixels across. */
  readonly size: number
  /** Pixels from the candle's end down to the middle of the mark. */
  readonly down: number
  /** Whether it has its letter, B or S. */
  readonly isLettered: boolean
}

/** How marks are drawn, in pixels. */
interface MarkSize {
  readonly size: number
  /** From the candle's end to the middle of the mark. */
  readonly distance: number
  readonly isLettered: boolean
}

const LARGE: MarkSize = { size: 16, distance: 14, isLettered: true }
const SMALL: MarkSize = { size: 8, distance: 8, isLettered: false }
/** A diamond fills less of its square than a circle. */
const DIAMOND_EXTRA = 3

/** Buys stand under their candle, sales above it; the creator's beyond the player's own. Many are small. */
export function markPlaces(slots: readonly Slot[], marks: readonly Mark[]): MarkPlace[] {
  const { size, distance, isLettered } = marks.length > LETTERED_MAX ? SMALL : LARGE
  const own = new Set(marks.filter(({ who }) => who === 'own').map(({ slot, side }) => `${slot} ${side}`))
  return marks.flatMap((mark) => {
    const candle = slots[mark.slot]?.candle ?? null
    if (candle === null) return []
    const isBuy = mark.side === 'buy'
    const isSecond = mark.who === 'creator' && own.has(`${mark.slot} ${mark.side}`)
    const away = isSecond ? distance + size : distance
    return [
      {
        mark,
        price: plotPrice(isBuy ? candle.low : candle.high),
        size: mark.who === 'own' ? size : size + DIAMOND_EXTRA,
        down: isBuy ? away : -away,
        isLettered,
      },
    ]
  })
}
