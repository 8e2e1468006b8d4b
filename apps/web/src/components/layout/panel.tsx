import { type ReactNode, type Ref, useId } from 'react'
import classes from './panel.module.css'

interface PanelProps {
  readonly title: string
  /** Of the heading; 2 unless told. */
  readonly level?: 2 | 3
  /** Given, the heading may be given the focus, where what had it is gone. */
  readonly heading?: Ref<HTMLHeadingElement>
  /** Beside the heading. */
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly className?: string
}

/** A sheet of paper with a heading: one part of a page, and a landmark of that name. */
export function Panel({ title, level = 2, heading, aside, children, className }: PanelProps) {
  const id = useId()
  const Heading = `h${level}` as const
  return (
    <section className={className === undefined ? classes.panel : `${classes.panel} ${className}`} aria-labelledby={id}>
      <div className={classes.head}>
        <Heading ref={heading} id={id} className={classes.title} tabIndex={heading === undefined ? undefined : -1}>
          {title}
        </Heading>
        {aside}
      </div>
      {children}
    </section>
  )
}
