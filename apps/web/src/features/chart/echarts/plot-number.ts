import { Decimal } from '@papermoon/amm'

const LAMPORTS_PER_SOL = 1_000_000_000
/** An axis has room for as many; the exact values stand over the chart. */
const AXIS_DIGITS = 5

/**
 * A price in SOL as a number for the canvas, in lamports a token: only pixels are made of it. That is also the market
 * cap in SOL, since there are as many tokens as lamports in a SOL. The decimal point is moved in the text, which has no
 * exponent of its own, and rounded once: thousands of decimals would hold up the page's first picture.
 */
export function plotPrice(sol: string): number {
  return Number(`${sol}e9`)
}

/** A number of the canvas back as a price in SOL, for its axis. */
export function priceOfPlot(plotted: number): string {
  return new Decimal(plotted).div(LAMPORTS_PER_SOL).toSignificantDigits(AXIS_DIGITS, Decimal.ROUND_HALF_UP).toFixed()
}

/** An amount of SOL as a number for the canvas. */
export function plotSol(sol: string): number {
  return Number(sol)
}
