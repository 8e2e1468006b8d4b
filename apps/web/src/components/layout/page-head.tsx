import type { ReactNode } from 'react'
import classes from './page-head.module.css'

interface PageHeadProps {
  readonly title: string
  readonly lead: string
  /** Links to what belongs together with the page. */
  readonly children?: ReactNode
}

/** The name of a screen, and what it is for. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <header className={classes.head}>
      <div>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
      </div>
      {children !== undefined && <div className={classes.links}>{children}</div>}
    </header>
  )
}
