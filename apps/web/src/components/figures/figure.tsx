import type { ReactNode } from 'react'
import classes from './figure.module.css'

interface FigureProps {
  readonly children: ReactNode
  /** A second, dimmer figure on the next line. */
  readonly beside: ReactNode
}

/** A figure with an optional second one below it. */
export function Figure({ children, beside }: FigureProps) {
  return (
    <span className={classes.figure}>
      <span className={`${classes.main} cut`}>{children}</span>
      <span className={`${classes.beside} cut dim`}>{beside}</span>
    </span>
  )
}
