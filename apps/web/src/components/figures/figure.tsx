import type { ReactNode } from 'react'

interface FigureProps {
  readonly children: ReactNode
  readonly beside: ReactNode
}

export function Figure({ children, beside }: FigureProps) {
  return (
    <span className="block fit">
      <span className="block bold cut">{children}</span>
      <span className="block small cut">{beside}</span>
    </span>
  )
}
