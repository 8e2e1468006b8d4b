import { formatSol } from '@papermoon/format'

interface SolProps {
  readonly value: string
  readonly digits?: number
  readonly hasUnit?: boolean
}

/** An amount in SOL. The title has the exact value. */
export function Sol({ value, digits = 6, hasUnit = false }: SolProps) {
  return (
    <>
      <span title={`${value} SOL`}>{formatSol(value, digits)}</span>
      {hasUnit && (
        <>
          {' '}
          <small>SOL</small>
        </>
      )}
    </>
  )
}
