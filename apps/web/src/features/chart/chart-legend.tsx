import { memo } from 'react'
import classes from './chart-card.module.css'
import { showMarks, useShownMarks } from './data/shown-marks.ts'
import { markedSeqs, type Trader } from './data/trade-marks.ts'
import type { DrawnData } from './data/use-chart-data.ts'

interface ChartLegendProps extends Pick<DrawnData, 'trades' | 'traders'> {
  readonly isTicks: boolean
}

/** The legend of the marks, whose entries hide and show them, and how the chart is moved. */
export const ChartLegend = memo(function ChartLegend({ trades, traders, isTicks }: ChartLegendProps) {
  const owners = new Set(markedSeqs(trades, traders).values())
  return (
    <div className={classes.legend} data-marks={owners.size > 0}>
      {owners.has('own') && <Switch who="own" label="Your trades" />}
      {owners.has('creator') && <Switch who="creator" label="The creator’s trades" />}
      {!isTicks && owners.size > 0 && <span className={classes.byMouse}>buys below, sales above</span>}
      {!isTicks && (
        <span className={classes.hint}>
          <span className={classes.byMouse}>Drag to move, Ctrl + wheel to zoom</span>
          <span className={classes.byTouch}>Swipe to move, pinch to zoom</span>
        </span>
      )}
    </div>
  )
})

function Switch({ who, label }: { who: Trader; label: string }) {
  const isShown = useShownMarks()[who]
  return (
    <button
      type="button"
      className={classes.key}
      data-who={who}
      aria-pressed={isShown}
      title={isShown ? 'Hide these marks' : 'Show these marks'}
      onClick={() => showMarks(who, !isShown)}
    >
      {label}
    </button>
  )
}
