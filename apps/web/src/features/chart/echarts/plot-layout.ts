/** Pixels around the two plots. */
export const MARGIN = {
  top: 12,
  right: 80,
  bottom: 26,
  /** Half a label of the time axis: the first is centred under the first place. */
  left: 22,
} as const
export const VOLUME_HEIGHT = 58
/** Between the prices and the volume under them. */
const GAP = 14
/** From the bottom of the picture to that of the prices. */
export const PRICES_BOTTOM = MARGIN.bottom + VOLUME_HEIGHT + GAP
/** Neither candle nor bar of volume is wider. */
export const CANDLE_WIDTH_MAX = 16
/** A time with the room around it. */
const LABEL_WIDTH = 54

/** Of the whole picture, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Width of a place on the time axis. */
export function computeBand({ width }: Size, places: number): number {
  return Math.max(width - MARGIN.left - MARGIN.right, 1) / Math.max(places, 1)
}

/** Every how many places the time stands under the chart. */
export function labelEvery(size: Size, places: number): number {
  return Math.max(1, Math.ceil(LABEL_WIDTH / computeBand(size, places)))
}

/** The place on the time axis at a distance from the left edge, from 0 to `last`. */
export function placeAt(x: number, size: Size, places: number, last: number): number {
  const place = Math.floor((x - MARGIN.left) / computeBand(size, places))
  return Math.min(Math.max(place, 0), last)
}
