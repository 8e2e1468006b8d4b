import type { ReactNode } from 'react'
import classes from './page-head.module.css'

interface PageHeadProps {
  readonly title: string
  readonly lead: ReactNode
  /** Links to related screens. */
  readonly children?: ReactNode
}

/** A screen's heading and its one-line description. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      {children !== undefined && <div className="acts">{children}</div>}
    </header>
  )
}
