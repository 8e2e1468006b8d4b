/** Pixels around the two plots. */
export const MARGIN = {
  top: 12,
  right: 80,
  bottom: 26,
  /** Half the width of a time label, since the first one is centred under the first slot. */
  left: 22,
} as const
export const VOLUME_HEIGHT = 58
/** Pixels between prices and volume. */
const GAP = 14
/** Pixels from the picture's bottom to the bottom of the prices. */
export const PRICES_BOTTOM = MARGIN.bottom + VOLUME_HEIGHT + GAP
/** Max width of candles and volume bars, pixels. */
export const CANDLE_WIDTH_MAX = 16
/** Width of a time label with its margin, pixels. */
const LABEL_WIDTH = 54

/** Size of the whole picture, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** Width of a slot in pixels. */
export function computeBand({ width }: Size, places: number): number {
  return Math.max(width - MARGIN.left - MARGIN.right, 1) / Math.max(places, 1)
}

/** Interval of the time labels, in slots. */
export function labelEvery(size: Size, places: number): number {
  return Math.max(1, Math.ceil(LABEL_WIDTH / computeBand(size, places)))
}

/** The slot at `x` pixels from the left edge, from 0 to `last`. */
export function placeAt(x: number, size: Size, places: number, last: number): number {
  const place = Math.floor((x - MARGIN.left) / computeBand(size, places))
  return Math.min(Math.max(place, 0), last)
}
