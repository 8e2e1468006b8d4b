import type { ReactNode } from 'react'
import classes from './figure.module.css'

interface FigureProps {
  readonly children: ReactNode
  readonly beside: ReactNode
}

export function Figure({ children, beside }: FigureProps) {
  return (
    <span className={classes.figure}>
      <span className={`${classes.main} cut`}>{children}</span>
      <span className={`${classes.beside} cut dim`}>{beside}</span>
    </span>
  )
}
