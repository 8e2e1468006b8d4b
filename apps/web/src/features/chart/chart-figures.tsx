import type { ReactNode } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Price } from '../../components/figures/price.tsx'
import { NO_FIGURE } from '../../lib/format/format.ts'
import classes from './chart-card.module.css'

interface ChartFiguresProps {
  readonly high: string | null
  readonly low: string | null
  /** Percent; null shows no figure. */
  readonly change24h: string | null
  readonly totalTrades: number
}

/** The four figures above the chart. */
export function ChartFigures({ high, low, change24h, totalTrades }: ChartFiguresProps) {
  return (
    <dl className={classes.figures}>
      <Figure label="High">{high === null ? NO_FIGURE : <Price value={high} />}</Figure>
      <Figure label="Low">{low === null ? NO_FIGURE : <Price value={low} />}</Figure>
      <Figure label="24h Change">
        <Change percent={change24h} />
      </Figure>
      <Figure label="Total Trades">{totalTrades.toLocaleString('en')}</Figure>
    </dl>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
