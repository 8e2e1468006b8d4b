import { Decimal } from '@papermoon/amm'

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

/** Converts an amount of SOL to a plot number. */
export function toPlotSol(sol: string): number {
  return Number(sol)
}
