import { type ReactNode, type Ref, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  readonly title: string
  /** Given, the heading may be given the focus, where what had it is gone. */
  readonly heading?: Ref<HTMLHeadingElement>
  readonly children: ReactNode
  readonly className?: string
}

/** A sheet of paper with a heading: one part of a page, and a landmark of that name. */
export function Panel({ title, heading, children, className }: PanelProps) {
  const id = useId()
  return (
    <section className={className === undefined ? classes.panel : `${classes.panel} ${className}`} aria-labelledby={id}>
      <h2 ref={heading} id={id} className={classes.title} tabIndex={heading === undefined ? undefined : -1}>
        {title}
      </h2>
      {children}
    </section>
  )
}
