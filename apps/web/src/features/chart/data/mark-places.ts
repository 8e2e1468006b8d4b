import { toPlotPrice } from '../echarts/plot-number.ts'
import type { Slot } from './candle-window.ts'
import { LETTERED_MAX, type Mark } from './trade-marks.ts'

/** Position and size of a mark. */
export interface MarkPlace {
  readonly mark: Mark
  /** The high or low of its candle, in plot numbers. */
  readonly price: number
  /** Diameter in pixels. */
  readonly size: number
  /** Offset in pixels from `price` down to the mark's centre; negative is up. */
  readonly down: number
  /** Whether its letter, B or S, is drawn. */
  readonly isLettered: boolean
}

/** Sizes of marks, in pixels. */
interface MarkSize {
  readonly size: number
  /** From the candle's end to the mark's centre. */
  readonly distance: number
  readonly isLettered: boolean
}

const LARGE: MarkSize = { size: 16, distance: 14, isLettered: true }
const SMALL: MarkSize = { size: 8, distance: 8, isLettered: false }
/** Diamonds are drawn larger, to match the area of a circle. */
const DIAMOND_EXTRA = 3

/** Buys are below their candle, sales above; the creator's outside the player's own. Many marks are drawn small. */
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
        price: toPlotPrice(isBuy ? candle.low : candle.high),
        size: mark.who === 'own' ? size : size + DIAMOND_EXTRA,
        down: isBuy ? away : -away,
        isLettered,
      },
    ]
  })
}
