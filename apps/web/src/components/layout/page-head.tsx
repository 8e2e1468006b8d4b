import type { ReactNode } from 'react'
import { useTitle } from '../../lib/hooks/use-title.ts'
import classes from './page-head.module.css'

interface PageHeadProps {
  readonly title: string
  readonly lead: ReactNode
  /** Links to related screens. */
  readonly children?: ReactNode
}

/** A screen's heading, which is also the document's title, and its one-line description. */
export function PageHead({ title, lead, children }: PageHeadProps) {
  useTitle(title)
  return (
    <header className={`flex wrap gap-xl between ${classes.head}`}>
      <div>
        <h1 className="text-3xl solid">{title}</h1>
        <p className="mt-s dim text-m prose">{lead}</p>
      </div>
      {children !== undefined && <div className="acts">{children}</div>}
    </header>
  )
}
