import type { Chart } from '../../../lib/api/api.ts'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import type { Trader } from '../data/trade-marks.ts'
import { createFrame } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import { labelEvery, type Plot, toPlotPrice } from './plot-layout.ts'
import { computePriceScale } from './price-scale.ts'

export interface TickOptionInput {
  readonly ticks: Chart['ticks']
  /** Owner of each marked trade, by `seq`. */
  readonly marked: ReadonlyMap<number, Trader>
  readonly unit: ValueUnit
  readonly palette: Palette
  readonly plot: Plot
}

const SIZE = 9
const MARKED_SIZE = 14

/** The ECharts option for the last trades: the price after each, with a symbol per side. */
export function tickOption({ ticks, marked, unit, palette, plot }: TickOptionInput) {
  const every = labelEvery(plot, ticks.length)
  return {
    ...createFrame({
      labels: ticks.map(({ seq }, place) => (place % every === 0 ? `#${seq}` : '')),
      pointerLabel: (place) => `#${ticks[place]?.seq ?? ''}`,
      plot,
      lastLabel: null,
      scale: computePriceScale(ticks.map(({ price }) => toPlotPrice(price))),
      unit,
      hasVolume: false,
      palette,
    }),
    series: [
      {
        id: 'ticks',
        type: 'line',
        step: 'end',
        // By default only points with an axis label get a symbol.
        showAllSymbol: true,
        lineStyle: { color: palette.dim, width: 1.5 },
        data: ticks.map(({ seq, price, side }) => ({
          value: toPlotPrice(price),
          symbol: 'triangle',
          symbolRotate: side === 'buy' ? 0 : 180,
          symbolSize: marked.has(seq) ? MARKED_SIZE : SIZE,
          itemStyle: { color: side === 'buy' ? palette.up : palette.down, ...getBorder(marked.get(seq), palette) },
        })),
      },
    ],
  }
}

function getBorder(who: Trader | undefined, palette: Palette) {
  if (who === undefined) return {}
  return { borderColor: who === 'own' ? palette.moon : palette.creator, borderWidth: 2.5 }
}
