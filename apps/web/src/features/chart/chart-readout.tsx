import { formatCount, formatSol, NO_FIGURE } from '@papermoon/format'
import type { ReactNode } from 'react'
import { Change } from '../../components/figures/change.tsx'
import { Value } from '../../components/figures/value.tsx'
import type { Chart, Token } from '../../lib/api/api.ts'
import { useValueUnit } from '../../lib/market/value-unit.ts'
import { formatSlotTime } from './chart-axis.ts'
import classes from './chart-card.module.css'
import type { ChartDrawing } from './chart-picture.tsx'

interface ChartReadoutProps extends ChartDrawing {
  readonly position: number
  readonly onOpen: (position: number) => void
}

/** Shows the values at the cross-hair above the plot. */
export function ChartReadout({ onOpen, ...shown }: ChartReadoutProps) {
  const { position } = shown
  return (
    <div data-keeps-position>
      <dl className={`row gap-wide small wrap round-s p-xs-s absolute untouchable ${classes.readout}`}>
        <Values {...shown} />
      </dl>
      <button
        type="button"
        className={`pill absolute on-raised accent text-s ${classes.open}`}
        onClick={() => onOpen(position)}
      >
        Open the time machine here
      </button>
    </div>
  )
}

function Values({ slots, axis, ticks, view, unit, position }: Omit<ChartReadoutProps, 'onOpen'>) {
  const value = (price: string) => <Value price={price} unit={unit} />
  const tick = ticks[position]
  const slot = slots[position]
  if (view === 'ticks') {
    if (tick === undefined) return null
    return (
      <>
        <Figure label="Trade">{`#${tick.seq} ${tick.side === 'buy' ? '▲ Buy' : '▼ Sell'}`}</Figure>
        <Figure label={unit === 'price' ? 'Price after trade' : 'Market cap after trade'}>{value(tick.price)}</Figure>
        <Figure>{formatSlotTime(Date.parse(tick.time))}</Figure>
      </>
    )
  }
  if (slot === undefined) return null
  const { open, high, low, close, volume } = slot.candle
  return (
    <>
      <Figure label="Open">{value(open)}</Figure>
      <Figure label="High">{value(high)}</Figure>
      <Figure label="Low">{value(low)}</Figure>
      <Figure label="Close">{value(close)}</Figure>
      <Figure label="Volume">{formatSol(volume, 2)} SOL</Figure>
      <Figure>{formatSlotTime(slot.timeMs, axis.widthMs)}</Figure>
    </>
  )
}

interface ChartFiguresProps {
  readonly token: Token
  readonly chart: Chart | undefined
  readonly change24h: string | null
}

export function ChartFigures({ token, chart, change24h }: ChartFiguresProps) {
  const unit = useValueUnit()
  const value = (price: string | null | undefined) => (price == null ? NO_FIGURE : <Value price={price} unit={unit} />)
  return (
    <dl className="row gap-wide small wrap phone-cols-2">
      <Figure label="High">{value(chart?.high)}</Figure>
      <Figure label="Low">{value(chart?.low)}</Figure>
      <Figure label={token.fairId === undefined ? '24h Change' : 'Change'}>
        <Change percent={change24h} />
      </Figure>
      <Figure label="Total Trades">{formatCount(token.totalTrades)}</Figure>
    </dl>
  )
}

/** Shows a value with its label, or a time without a label. */
function Figure({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <div className="row baseline gap-s nowrap">
      <dt className={label === undefined ? 'visually-hidden' : undefined}>{label ?? 'Time'}</dt>
      <dd className="ink semibold">{children}</dd>
    </div>
  )
}
