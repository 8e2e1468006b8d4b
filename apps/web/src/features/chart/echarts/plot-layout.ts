import { Decimal } from '@papermoon/amm'

/** Pixels around the two plots; the right one depends on the labels there. */
export const MARGIN = {
  top: 14,
  bottom: 26,
  left: 10,
} as const
export const VOLUME_HEIGHT = 58
export const GAP = 16
/** From the prices to the middle of the lanes of marks, pixels. */
export const LANE_ABOVE = 7
export const LANE_BELOW = 8
/** Pixels from the picture's bottom to the bottom of the prices. */
export const PRICES_BOTTOM = MARGIN.bottom + VOLUME_HEIGHT + GAP
/** Max width of candles and volume bars, pixels. */
export const CANDLE_WIDTH_MAX = 16
/** Width of a time label with its margin, pixels. */
const LABEL_WIDTH = 72
/** Around a picture on a token's page, as in token-screen.module.css, pixels: of a phone, of a wider window, the panel beside. */
const PHONE = { windowMax: 768, around: 58 }
const WIDE = { panelFrom: 992, pageMax: 1_180, around: 74, panel: 376 }
/** Narrower columns are merged, pixels. */
const COLUMN_WIDTH_MIN = 4
/** Most columns drawn, however wide the screen is. */
const COLUMNS_MAX = 240

/** Size of the whole picture, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The picture's size and how much of it the labels on the right take. */
export interface Plot extends Size {
  readonly right: number
}

/** Width of a character of the labels, pixels: digits in bold. */
const CHARACTER = 7.4
/** From the plot to the last price, its padding, and the edge, pixels. */
const AROUND_LABEL = 22
const RIGHT_MIN = 56
/** The margin grows in steps, so that it does not change with every price. */
const RIGHT_STEP = 8

/** The layout with room for the longest of the labels on the right. */
export function layOut({ width, height }: Size, labels: readonly string[]): Plot {
  const longest = labels.reduce((most, label) => Math.max(most, label.length), 0)
  const room = Math.ceil((longest * CHARACTER + AROUND_LABEL) / RIGHT_STEP) * RIGHT_STEP
  return { width, height, right: Math.max(room, RIGHT_MIN) }
}

/**
 * The picture's size on a token's page in a window of this width, before it is measured. Only its columns matter: the
 * readout shows the last one, and should not change when the picture is measured.
 */
export function guessSize(windowWidth: number): Size {
  if (windowWidth <= PHONE.windowMax) return { width: windowWidth - PHONE.around, height: 0 }
  const page = Math.min(windowWidth, WIDE.pageMax + 32) - WIDE.around
  return { width: windowWidth < WIDE.panelFrom ? page : page - WIDE.panel, height: 0 }
}

export function computePlotWidth({ width, right }: Plot): number {
  return Math.max(width - MARGIN.left - right, 1)
}

export function countColumns(plot: Plot): number {
  return Math.min(Math.floor(computePlotWidth(plot) / COLUMN_WIDTH_MIN), COLUMNS_MAX)
}

/** Width of a slot in pixels. */
export function computeBand(plot: Plot, places: number): number {
  return computePlotWidth(plot) / Math.max(places, 1)
}

/** Least distance of the time labels, in slots. */
export function labelEvery(plot: Plot, places: number): number {
  return Math.max(1, Math.ceil(LABEL_WIDTH / computeBand(plot, places)))
}

/** The slot at `x` pixels from the left edge, from 0 to `last`. */
export function placeAt(x: number, plot: Plot, { places, last }: { places: number; last: number }): number {
  const place = Math.floor((x - MARGIN.left) / computeBand(plot, places))
  return Math.min(Math.max(place, 0), last)
}

const LAMPORTS_PER_SOL = 1_000_000_000
/** Max significant digits on the axis; exact values are shown above the chart. */
const AXIS_DIGITS = 5

/**
 * Converts a price in SOL to a plot number, in lamports per token. That equals the market cap in SOL, as the supply in
 * tokens equals the lamports per SOL. Moves the decimal point in the text and rounds once: thousands of Decimals would
 * delay the first render. Display only.
 */
export function toPlotPrice(sol: string): number {
  return Number(`${sol}e9`)
}

/** Converts a plot number back to a price in SOL, for the axis. */
export function toPrice(plotted: number): string {
  return new Decimal(plotted).div(LAMPORTS_PER_SOL).toSignificantDigits(AXIS_DIGITS, Decimal.ROUND_HALF_UP).toFixed()
}
