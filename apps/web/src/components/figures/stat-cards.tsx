import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './stat-cards.module.css'

export function StatCards({ children }: { children: ReactNode }) {
  return <dl className={classes.cards}>{children}</dl>
}

interface Part {
  readonly label: string
  readonly figure: ReactNode
}

interface StatCardProps {
  readonly label: string
  readonly beside?: ReactNode
  /** The parts that add up to the value, one per line. */
  readonly parts?: readonly Part[]
  readonly children: ReactNode
}

/** A single value on a ticket: the label on the stub, the value below the perforation. */
export function StatCard({ label, beside, parts = [], children }: StatCardProps) {
  const isFetched = children !== undefined
  return (
    <div className={classes.card}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.body}>
        <span className={`${classes.value} cut`}>{isFetched ? children : <Skeleton width="65%" height="1em" />}</span>
        <span className={classes.beside}>{isFetched ? beside : <Skeleton width="45%" height="1em" />}</span>
        {parts.length > 0 && <Parts parts={parts} />}
      </dd>
    </div>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <ul className={classes.parts}>
      {parts.map(({ label, figure }) => (
        <li key={label} className={classes.part}>
          <span>{label}</span>
          <span className="nowrap">{figure ?? <Skeleton width={80} height="1em" />}</span>
        </li>
      ))}
    </ul>
  )
}
