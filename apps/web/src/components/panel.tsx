import { type ReactNode, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  readonly title: string
  readonly children: ReactNode
  readonly className?: string
}

/** A sheet of paper with a heading: one part of a page, and a landmark of that name. */
export function Panel({ title, children, className }: PanelProps) {
  const id = useId()
  return (
    <section className={className === undefined ? classes.panel : `${classes.panel} ${className}`} aria-labelledby={id}>
      <h2 id={id} className={classes.title}>
        {title}
      </h2>
      {children}
    </section>
  )
}
