import { Value } from '../../components/figures/value.tsx'
import type { Chart } from '../../lib/api/api.ts'
import type { ValueUnit } from '../../lib/market/value-unit.ts'
import classes from './chart-card.module.css'
import type { Slot } from './data/candle-window.ts'
import type { View } from './data/chart-views.ts'
import { formatSlotTime } from './data/time-labels.ts'

interface ChartReadoutProps {
  readonly slots: readonly Slot[]
  readonly widthMs: number
  readonly ticks: Chart['ticks']
  readonly view: View
  readonly unit: ValueUnit
  /** The cross-hair's slot; null shows the latest. */
  readonly place: number | null
  readonly onOpen: (place: number) => void
}

/** Exact values at the cross-hair, or of the latest candle or trade. */
export function ChartReadout({ onOpen, ...shown }: ChartReadoutProps) {
  const { place } = shown
  return (
    <div className={classes.shown} data-keeps-place>
      <Values {...shown} />
      {place !== null && (
        <button type="button" className={`${classes.open} pill`} onClick={() => onOpen(place)}>
          See this moment
        </button>
      )}
    </div>
  )
}

function Values({ slots, widthMs, ticks, view, unit, place }: Omit<ChartReadoutProps, 'onOpen'>) {
  if (view === 'ticks') {
    const tick = (place === null ? undefined : ticks[place]) ?? ticks.at(-1)
    if (tick === undefined) return <dl className={classes.readout} />
    return (
      <dl className={classes.readout}>
        <Entry label="Trade">{`#${tick.seq} ${tick.side === 'buy' ? '▲ Buy' : '▼ Sell'}`}</Entry>
        <Figure label={unit === 'price' ? 'Price after' : 'Market cap after'} price={tick.price} unit={unit} />
        <Entry label="">{formatSlotTime(Date.parse(tick.time))}</Entry>
      </dl>
    )
  }
  const last = slots.findLastIndex(({ candle }) => candle !== null)
  const slot = slots[Math.min(place ?? last, last)]
  if (slot === undefined || slot.candle === null) return <dl className={classes.readout} />
  const { open, high, low, close, volume } = slot.candle
  return (
    <dl className={classes.readout}>
      <Figure label="Open" price={open} unit={unit} />
      <Figure label="High" price={high} unit={unit} />
      <Figure label="Low" price={low} unit={unit} />
      <Figure label="Close" price={close} unit={unit} />
      <Entry label="Volume">{`${volume} SOL`}</Entry>
      <Entry label="">{formatSlotTime(slot.timeMs, widthMs)}</Entry>
    </dl>
  )
}

function Figure({ label, price, unit }: { label: string; price: string; unit: ValueUnit }) {
  return (
    <Entry label={label}>
      <Value price={price} unit={unit} />
    </Entry>
  )
}

function Entry({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      {label === '' ? <dt className="visually-hidden">Time</dt> : <dt>{label}</dt>}
      <dd>{children}</dd>
    </div>
  )
}
