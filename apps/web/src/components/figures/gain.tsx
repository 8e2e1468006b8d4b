import { formatGain, getSign } from '@papermoon/format'
import { Trend } from './change.tsx'

/** Shows a profit or loss in SOL with an arrow, a sign and a colour. */
export function Gain({ sol, decimals }: { sol: string; decimals?: number }) {
  return (
    <Trend sign={getSign(sol)}>
      <span title={`${sol} SOL`}>{formatGain(sol, decimals)}</span>
    </Trend>
  )
}
