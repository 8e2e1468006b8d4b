import type { Candle } from '../../../lib/api/api.ts'
import { toPlotPrice, toPlotSol } from '../echarts/plot-number.ts'

/** A candle's time in ms since the epoch, its prices as plot numbers, and its volume in SOL. */
export interface Plotted {
  readonly timeMs: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

const known = new WeakMap<Candle, Plotted>()

/** A candle's numbers, parsed once: live updates keep the objects of candles that have closed. */
export function toPlotted(candle: Candle): Plotted {
  const cached = known.get(candle)
  if (cached !== undefined) return cached
  const plotted = {
    timeMs: Date.parse(candle.time),
    open: toPlotPrice(candle.open),
    high: toPlotPrice(candle.high),
    low: toPlotPrice(candle.low),
    close: toPlotPrice(candle.close),
    volume: toPlotSol(candle.volume),
  }
  known.set(candle, plotted)
  return plotted
}

/** Notes the numbers of a candle that was computed from others, so that they are not parsed again. */
export function keepPlotted(candle: Candle, plotted: Plotted): void {
  known.set(candle, plotted)
}
