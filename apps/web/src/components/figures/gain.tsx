import { formatGain, getSign } from '@papermoon/format'
import { Trend } from './change.tsx'

export function Gain({ sol, decimals }: { sol: string; decimals?: number }) {
  return (
    <Trend sign={getSign(sol)}>
      <span title={`${sol} SOL`}>{formatGain(sol, decimals)}</span>
    </Trend>
  )
}
