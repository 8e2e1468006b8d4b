import type { ReactNode } from 'react'
import text from './proof-text.module.css'

interface FactsProps {
  readonly rows: readonly (readonly [name: string, value: ReactNode, look?: string])[]
}

export function Facts({ rows }: FactsProps) {
  return (
    <dl className={`grid gap-s breaks ${text.facts}`}>
      {rows.map(([name, value, look]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={look}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
