import { formatGain, getSign } from '@papermoon/format'
import { Trend } from './change.tsx'

const SOL_SHOWN = 6

/** Shows a profit or loss in SOL with an arrow, a sign and a colour. */
export function Gain({ sol }: { sol: string }) {
  return (
    <Trend sign={getSign(sol)}>
      <span title={`${sol} SOL`}>{formatGain(sol, SOL_SHOWN)}</span>
    </Trend>
  )
}
