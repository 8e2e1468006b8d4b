import { memo, useMemo } from 'react'
import type { ValueUnit } from '../../../lib/market/value-unit.ts'
import { isFallen } from '../data/candle-moves.ts'
import type { Slot } from '../data/candle-window.ts'
import { axisLabel, type View } from '../data/chart-views.ts'
import type { Mark } from '../data/trade-marks.ts'
import { MARGIN, type Size } from '../echarts/plot-layout.ts'
import { toPlotPrice } from '../echarts/plot-number.ts'
import classes from './static-chart.module.css'
import { StaticMarks } from './static-marks.tsx'
import { crisp, type StaticPicture, staticPicture } from './static-picture.ts'

/** Pixels from the plot to the price labels. */
const LABEL_GAP = 8
/** Pixels from the plot to the centre of the time labels. */
const TIME_DOWN = 13
/** Pixels from the plot to the label of the last price. */
const LAST_GAP = 5

interface StaticChartProps {
  readonly slots: readonly Slot[]
  readonly marks: readonly Mark[]
  readonly view: Exclude<View, 'ticks'>
  readonly unit: ValueUnit
  readonly size: Size
  /** The cross-hair's slot; null while hidden. */
  readonly place: number | null
}

/** The chart as a few SVG paths. Renders immediately and looks the same as the ECharts canvas that may replace it. */
export const StaticChart = memo(function StaticChart({ slots, marks, view, unit, size, place }: StaticChartProps) {
  const picture = useMemo(() => staticPicture(slots, size), [slots, size])
  const right = size.width - MARGIN.right
  return (
    <div className={classes.picture}>
      <svg className={classes.svg} aria-hidden="true" width={size.width} height={size.height}>
        <Frame picture={picture} unit={unit} size={size} />
        <path className={classes.upBar} d={picture.volume.up} />
        <path className={classes.downBar} d={picture.volume.down} />
        {view === 'line' ? <ClosingLine picture={picture} /> : <Candles picture={picture} />}
        <LastLine picture={picture} slots={slots} right={right} />
        <StaticMarks slots={slots} marks={marks} picture={picture} />
        {place !== null && (
          <path
            className={classes.pointer}
            d={`M${crisp(picture.toX(place))} ${MARGIN.top}V${size.height - MARGIN.bottom}`}
          />
        )}
      </svg>
      <LastPrice picture={picture} slots={slots} unit={unit} left={right + LAST_GAP} />
    </div>
  )
})

function Frame({ picture, unit, size }: { picture: StaticPicture; unit: ValueUnit; size: Size }) {
  const right = size.width - MARGIN.right
  const bottom = size.height - MARGIN.bottom
  const across = (y: number) => `M${MARGIN.left} ${crisp(y)}H${right}`
  return (
    <>
      <path className={classes.grid} d={picture.priceLines.map(({ y }) => across(y)).join('')} />
      <path className={classes.axis} d={across(picture.axis) + across(bottom)} />
      {picture.priceLines.map(({ y, value }) => (
        <text key={value} className={classes.label} x={right + LABEL_GAP} y={y}>
          {axisLabel(value, unit)}
        </text>
      ))}
      {picture.timeLabels.map(({ x, text }) => (
        <text key={x} className={`${classes.label} ${classes.time}`} x={x} y={bottom + TIME_DOWN}>
          {text}
        </text>
      ))}
    </>
  )
}

function Candles({ picture: { candles } }: { picture: StaticPicture }) {
  return (
    <>
      <path className={classes.still} d={candles.still} />
      <path className={classes.up} d={candles.up} />
      <path className={classes.down} d={candles.down} />
    </>
  )
}

function ClosingLine({ picture: { line, area } }: { picture: StaticPicture }) {
  return (
    <>
      <path className={classes.area} d={area} />
      <path className={classes.line} d={line} />
    </>
  )
}

interface LastProps {
  readonly picture: StaticPicture
  readonly slots: readonly Slot[]
}

function LastLine({ picture, slots, right }: LastProps & { right: number }) {
  const price = lastPrice(slots)
  if (price === null) return null
  return (
    <path className={classes.lastLine} stroke={pickColor(slots)} d={`M${MARGIN.left} ${picture.toY(price)}H${right}`} />
  )
}

function LastPrice({ picture, slots, unit, left }: LastProps & { unit: ValueUnit; left: number }) {
  const price = lastPrice(slots)
  if (price === null) return null
  return (
    <span
      className={classes.last}
      aria-hidden="true"
      style={{ left, top: picture.toY(price), background: pickColor(slots) }}
    >
      {axisLabel(price, unit)}
    </span>
  )
}

function lastPrice(slots: readonly Slot[]): number | null {
  const candle = slots.findLast((slot) => slot.candle !== null)?.candle ?? null
  return candle === null ? null : toPlotPrice(candle.close)
}

function pickColor(slots: readonly Slot[]): string {
  return isFallen(slots) ? 'var(--pm-down)' : 'var(--pm-up)'
}
