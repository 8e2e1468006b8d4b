import { memo, useMemo } from 'react'
import { axisLabel } from '../data/chart-views.ts'
import { markPlaces } from '../data/mark-places.ts'
import type { ChartPlotProps } from '../echarts/chart-plot.tsx'
import { isCovered, placeLastLabel } from '../echarts/last-price.ts'
import { computePlotWidth, LANE_ABOVE, LANE_BELOW, MARGIN } from '../echarts/plot-layout.ts'
import classes from './static-chart.module.css'
import { crisp, type StaticPicture, staticPicture } from './static-picture.ts'

const LABEL_GAP = 8
/** Pixels from the plot to the centre of the time labels. */
const TIME_DOWN = 13

type StaticChartProps = Pick<
  ChartPlotProps,
  'slots' | 'widthMs' | 'marks' | 'last' | 'view' | 'unit' | 'plot' | 'place'
>

/** The chart as a few SVG paths. Renders immediately and looks the same as the ECharts canvas that may replace it. */
export const StaticChart = memo(function StaticChart(props: StaticChartProps) {
  const { slots, widthMs, marks, last, view, unit, plot, place } = props
  const picture = useMemo(() => staticPicture(slots, widthMs, plot), [slots, widthMs, plot])
  return (
    <div className={classes.picture}>
      <svg className={classes.svg} aria-hidden="true" width={plot.width} height={plot.height}>
        <Frame picture={picture} last={last} unit={unit} plot={plot} />
        <path className={classes.upBar} d={picture.volume.up} />
        <path className={classes.downBar} d={picture.volume.down} />
        {view === 'line' ? <ClosingLine picture={picture} /> : <Candles picture={picture} />}
        <StaticMarks slots={slots} marks={marks} picture={picture} plot={plot} />
        {place !== null && (
          <path
            className={classes.pointer}
            d={`M${crisp(picture.toX(place))} ${MARGIN.top}V${plot.height - MARGIN.bottom}`}
          />
        )}
      </svg>
    </div>
  )
})

interface FrameProps extends Pick<StaticChartProps, 'last' | 'unit' | 'plot'> {
  readonly picture: StaticPicture
}

function Frame({ picture, last, unit, plot }: FrameProps) {
  const right = plot.width - plot.right
  const bottom = plot.height - MARGIN.bottom
  const across = (y: number) => `M${MARGIN.left} ${crisp(y)}H${right}`
  const { scale } = picture
  const lastLabel = last === null ? null : placeLastLabel(last.value, scale, plot)
  const labelled = picture.priceLines.filter(
    ({ value }) => lastLabel === null || !isCovered(value, lastLabel, { scale, plot }),
  )
  return (
    <>
      <path className={classes.grid} d={picture.priceLines.map(({ y }) => across(y)).join('')} />
      <path className={classes.axis} d={across(picture.axis) + across(bottom)} />
      {labelled.map(({ y, value }) => (
        <text key={value} className={classes.label} x={right + LABEL_GAP} y={y}>
          {axisLabel(value, unit, scale.step)}
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

interface StaticMarksProps extends Pick<StaticChartProps, 'slots' | 'marks' | 'plot'> {
  readonly picture: StaticPicture
}

function StaticMarks({ slots, marks, picture, plot }: StaticMarksProps) {
  return markPlaces(slots, marks, computePlotWidth(plot)).map((place) => {
    const { mark, price, width, height, down, text } = place
    const { slot, side, who } = mark
    const lane = side === 'buy' ? picture.floor + LANE_BELOW : MARGIN.top - LANE_ABOVE
    const [x, y] = [picture.toX(slot), (price === null ? lane : picture.toY(price)) + down]
    return (
      <g key={`${slot} ${side} ${who}`}>
        <path
          className={classes.mark}
          data-who={who}
          data-small={text === ''}
          strokeWidth={text === '' ? 1 : 2}
          d={who === 'own' ? pill(x, y, { width, height }) : diamond(x, y, { width, height })}
        />
        {text !== '' && (
          <text className={classes.letter} data-who={who} x={x} y={y}>
            {text}
          </text>
        )}
      </g>
    )
  })
}

interface MarkSize {
  readonly width: number
  readonly height: number
}

/** A circle, or wider with round ends. */
function pill(x: number, y: number, { width, height }: MarkSize): string {
  const r = height / 2
  const across = width - height
  return `M${x - width / 2 + r} ${y - r}h${across}a${r} ${r} 0 0 1 0 ${height}h${-across}a${r} ${r} 0 0 1 0 ${-height}Z`
}

function diamond(x: number, y: number, { width, height }: MarkSize): string {
  return `M${x} ${y - height / 2}L${x + width / 2} ${y}L${x} ${y + height / 2}L${x - width / 2} ${y}Z`
}
