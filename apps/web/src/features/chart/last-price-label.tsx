import type { ValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import { axisLabel } from './data/chart-views.ts'
import { type LastPrice, placeLastLabel } from './echarts/last-price.ts'
import { MARGIN, type Plot } from './echarts/plot-layout.ts'
import type { PriceScale } from './echarts/price-scale.ts'

/** Pixels from the plot to the label. */
const GAP = 5

interface LastPriceLabelProps {
  readonly last: LastPrice
  readonly scale: PriceScale
  readonly plot: Plot
  readonly unit: ValueUnit
}

/** The latest price beside the value axis; an arrow says that it is beyond what the window shows. */
export function LastPriceLabel({ last, scale, plot, unit }: LastPriceLabelProps) {
  const { y, beyond } = placeLastLabel(last.value, scale, plot)
  const color = last.isDown ? 'var(--pm-down)' : 'var(--pm-up)'
  const arrow = beyond === null ? '' : beyond === 'above' ? '↑' : '↓'
  return (
    <>
      {beyond === null && (
        <span
          className={classes.lastLine}
          aria-hidden="true"
          style={{ left: MARGIN.left, right: plot.right, top: y, color }}
        />
      )}
      <span
        className={classes.last}
        aria-hidden="true"
        style={{ left: plot.width - plot.right + GAP, top: y, background: color }}
      >
        {arrow}
        {axisLabel(last.value, unit, scale.step / 10)}
      </span>
    </>
  )
}
