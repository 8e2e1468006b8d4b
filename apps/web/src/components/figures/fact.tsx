import type { ReactNode } from 'react'

interface FactProps {
  readonly label: string
  readonly exact?: string | undefined
  readonly beside?: ReactNode
  readonly isBelow?: boolean
  readonly children: ReactNode
}

/** Shows a value under its label, in a `dl`. */
export function Fact({ label, exact, beside, isBelow = false, children }: FactProps) {
  return (
    <div>
      <dt className="small">{label}</dt>
      <dd className="text-l bold breaks" title={exact}>
        {children}{' '}
        {beside != null && <span className={`small regular ${isBelow ? 'block' : 'inline-block'}`}>{beside}</span>}
      </dd>
    </div>
  )
}
