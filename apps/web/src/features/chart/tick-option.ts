import type { Chart } from '../../lib/api.ts'
import { frameOf } from './chart-frame.ts'
import type { Palette } from './chart-palette.ts'
import type { Unit } from './chart-views.ts'
import { plotPrice } from './plot-number.ts'

export interface TickOptionInput {
  readonly ticks: Chart['ticks']
  readonly unit: Unit
  readonly palette: Palette
}

/** What the canvas draws of the last trades: the price after each, marked by its side. */
export function tickOption({ ticks, unit, palette }: TickOptionInput) {
  return {
    ...frameOf({ labels: ticks.map(({ seq }) => `#${seq}`), unit, hasVolume: false, palette }),
    series: [
      {
        id: 'ticks',
        type: 'line',
        step: 'end',
        showSymbol: true,
        lineStyle: { color: palette.dim, width: 1.5 },
        data: ticks.map(({ price, side }) => ({
          value: plotPrice(price),
          symbol: 'triangle',
          symbolRotate: side === 'buy' ? 0 : 180,
          symbolSize: 9,
          itemStyle: { color: side === 'buy' ? palette.up : palette.down },
        })),
      },
    ],
  }
}
