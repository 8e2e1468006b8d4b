import type { ReactNode } from 'react'
import { Skeleton } from '../feedback/skeleton.tsx'
import classes from './stat-cards.module.css'

export function StatCards({ children }: { children: ReactNode }) {
  return <dl className="grid mb-l gap-l phone-gap-s cols-3 phone-one-col">{children}</dl>
}

interface Part {
  readonly label: string
  readonly figure: ReactNode
}

interface StatCardProps {
  readonly label: string
  readonly beside?: ReactNode
  /** Parts whose sum is the card's value, one per line. */
  readonly parts?: readonly Part[]
  readonly children: ReactNode
}

/** A card that shows one value as a ticket. */
export function StatCard({ label, beside, parts = [], children }: StatCardProps) {
  const isFetched = children !== undefined
  return (
    <div className={`round-m on-surface ${classes.card}`}>
      <dt className={`row px-l phone-px-s phone-s ink bold tight ${classes.label}`}>{label}</dt>
      <dd className={`p-l ${classes.body}`}>
        <span className="one-line block text-xl heavy tight cut">
          {isFetched ? children : <Skeleton width="65%" height="1em" />}
        </span>
        <span className="one-line small block mt-xs">{isFetched ? beside : <Skeleton width="45%" height="1em" />}</span>
        {parts.length > 0 && <Parts parts={parts} />}
      </dd>
    </div>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  return (
    <ul className="mt-s py-s text-s torn-top">
      {parts.map(({ label, figure }) => (
        <li key={label} className="row gap-x-m wrap between one-line">
          <span className="dim">{label}</span>
          <span className="nowrap">{figure ?? <Skeleton width={80} height="1em" />}</span>
        </li>
      ))}
    </ul>
  )
}
