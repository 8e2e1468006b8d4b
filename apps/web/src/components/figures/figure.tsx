import type { ReactNode } from 'react'
import classes from './figure.module.css'

interface FigureProps {
  readonly children: ReactNode
  readonly beside: ReactNode
}

export function Figure({ children, beside }: FigureProps) {
  return (
    <span className={`block fit ${classes.figure}`}>
      <span className="bold cut">{children}</span>
      <span className="text-s cut dim">{beside}</span>
    </span>
  )
}
