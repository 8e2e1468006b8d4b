import { memo, type ReactNode } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Value } from '../../components/figures/value.tsx'
import { formatCount, NO_FIGURE } from '../../lib/format/format.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'

interface ChartFiguresProps {
  readonly high: string | null
  readonly low: string | null
  /** Percent; null shows no figure. */
  readonly change24h: string | null
  readonly totalTrades: number
  readonly unit: ValueUnit
}

/** The four figures above the chart. */
export const ChartFigures = memo(function ChartFigures(props: ChartFiguresProps) {
  const { high, low, change24h, totalTrades, unit } = props
  return (
    <dl className={classes.figures}>
      <Figure label="High">{high === null ? NO_FIGURE : <Value price={high} unit={unit} />}</Figure>
      <Figure label="Low">{low === null ? NO_FIGURE : <Value price={low} unit={unit} />}</Figure>
      <Figure label="24h Change">
        <Change percent={change24h} />
      </Figure>
      <Figure label="Total Trades">{formatCount(totalTrades)}</Figure>
    </dl>
  )
})

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
