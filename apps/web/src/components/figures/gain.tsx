import { formatGain, getSign } from '../../lib/format/format.ts'
import { Trend } from './trend.tsx'

const SOL_SHOWN = 6

/** A profit or loss in SOL: told apart by arrow and sign, and by colour. */
export function Gain({ sol }: { sol: string }) {
  return (
    <Trend sign={getSign(sol)}>
      <span title={`${sol} SOL`}>{formatGain(sol, SOL_SHOWN)}</span>
    </Trend>
  )
}
