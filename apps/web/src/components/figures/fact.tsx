import type { ReactNode } from 'react'
import classes from './fact.module.css'

interface FactProps {
  readonly label: string
  readonly exact?: string | undefined
  readonly beside?: ReactNode
  readonly isBelow?: boolean
  readonly children: ReactNode
}

/** Shows a value under its label, in a `dl`. */
export function Fact({ label, exact, beside, isBelow = false, children }: FactProps) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd title={exact}>
        {children}{' '}
        {beside != null && (
          <span className={`small regular ${classes.beside}`} data-below={isBelow}>
            {beside}
          </span>
        )}
      </dd>
    </div>
  )
}
