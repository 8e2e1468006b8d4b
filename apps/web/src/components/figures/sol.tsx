import { formatSol } from '@papermoon/format'

interface SolProps {
  readonly value: string
  readonly digits?: number
  readonly hasUnit?: boolean
}

export function Sol({ value, digits, hasUnit = false }: SolProps) {
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
